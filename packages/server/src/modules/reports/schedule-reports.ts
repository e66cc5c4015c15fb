import { longestVideo, type ProgramAiring } from '@continuity/core/as-run/program-airing'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import { type Episode, listEpisodes } from '../catalog/read.ts'
import { type AiredDeps, airedEntries, listAiredChannels, programAirings } from '../schedule/read.ts'
import { DAY_MS, type DayRange } from './day-range.ts'

type Value = string | number | null

/** The columns in their order. */
export type Row = Readonly<Record<string, Value>>

export interface ScheduleReport {
  readonly columns: readonly string[]
  rowsOf(airing: ProgramAiring, about: About): Iterable<Row>
}

/** What the rows of an airing need besides it. */
interface About {
  readonly channelId: string
  readonly channelName: string
  readonly episodes: ReadonlyMap<string, Episode>
  readonly fromTicks: number
  readonly untilTicks: number
  /** Only components of this video or live source. */
  readonly referenceId: string | undefined
}

const programColumns = [
  'linear_channel_id',
  'linear_channel_name',
  'program_start_time',
  'program_end_time',
  'program_duration',
  'program_id',
  'program_title',
]
const episodeColumns = ['series_name', 'season_number', 'episode_number']

export const programSchedule: ScheduleReport = {
  columns: [...programColumns, 'program_description', ...episodeColumns, 'video_id'],
  *rowsOf(airing, about) {
    if (airing.program === null) return
    const videoId = longestVideo(airing)
    yield {
      ...programOf(airing, about),
      program_description: airing.program.description,
      ...episodeOf(videoId, about),
      video_id: videoId,
    }
  },
}

export const componentSchedule: ScheduleReport = {
  columns: [
    ...programColumns,
    'component_type',
    'component_start_time',
    'component_duration',
    'component_reference_id',
    'component_title',
    ...episodeColumns,
  ],
  *rowsOf(airing, about) {
    for (const { type, startTicks, endTicks, referenceId, title } of airing.entries) {
      if (endTicks <= about.fromTicks || startTicks >= about.untilTicks) continue
      if (about.referenceId !== undefined && referenceId !== about.referenceId) continue
      yield {
        ...programOf(airing, about),
        component_type: type,
        component_start_time: timeOf(startTicks),
        component_duration: secondsOf(endTicks - startTicks),
        component_reference_id: referenceId,
        component_title: title === '' ? null : title,
        ...episodeOf(type === 'VIDEO' ? referenceId : null, about),
      }
    }
  },
}

function programOf(airing: ProgramAiring, { channelId, channelName }: About): Row {
  const { program, startTicks, endTicks } = airing
  const isKnown = program !== null
  return {
    linear_channel_id: channelId,
    linear_channel_name: channelName,
    program_start_time: isKnown ? timeOf(startTicks) : null,
    program_end_time: isKnown ? timeOf(endTicks) : null,
    program_duration: isKnown ? secondsOf(endTicks - startTicks) : null,
    program_id: program?.id ?? null,
    program_title: program?.title ?? null,
  }
}

function episodeOf(videoId: string | null, { episodes }: About): Row {
  const episode = videoId === null ? undefined : episodes.get(videoId)
  return {
    series_name: episode?.seriesName ?? null,
    season_number: episode?.seasonNumber ?? null,
    episode_number: episode?.episodeNumber ?? null,
  }
}

const timeOf = (ticks: number): string => new Date(msOf(ticks)).toISOString()
const secondsOf = (ticks: number): number => Math.round(ticks / 90) / 1_000

export interface ScheduleReportDeps extends AiredDeps {
  readonly db: Db
  readonly accountId: string
}

const CHANNELS_AT_ONCE = 100

/** Airings whose videos are looked up together. */
const AIRINGS_AT_ONCE = 200

/** The rows of all channels, one channel after the other, each in the order of time. */
export async function* scheduleRows(
  report: ScheduleReport,
  deps: ScheduleReportDeps,
  { daysMs }: DayRange,
  referenceId: string | undefined,
): AsyncGenerator<readonly Row[]> {
  const { db, accountId } = deps
  const fromMs = daysMs[0]!
  const untilMs = daysMs.at(-1)! + DAY_MS
  const range = { fromTicks: ticksOf(fromMs), untilTicks: ticksOf(untilMs) }
  for (let after: string | undefined, isMore = true; isMore; ) {
    const channels = await listAiredChannels(db, accountId, after, CHANNELS_AT_ONCE)
    for (const { channelId, channelName } of channels) {
      const entries = airedEntries(db, deps, { accountId, channelId }, fromMs, untilMs)
      const wanted = (airing: ProgramAiring) =>
        airing.endTicks > range.fromTicks &&
        (referenceId === undefined || airing.entries.some((entry) => entry.referenceId === referenceId))
      for await (const airings of inGroups(programAirings(entries, range.untilTicks), wanted)) {
        const episodes = await listEpisodes(db, accountId, videosOf(airings))
        const about = { channelId, channelName, episodes, ...range, referenceId }
        yield airings.flatMap((airing) => [...report.rowsOf(airing, about)])
      }
    }
    after = channels.at(-1)?.channelId
    isMore = channels.length === CHANNELS_AT_ONCE
  }
}

/** Groups the airings that are wanted. */
async function* inGroups(
  airings: AsyncIterable<ProgramAiring>,
  wanted: (airing: ProgramAiring) => boolean,
): AsyncGenerator<ProgramAiring[]> {
  let group: ProgramAiring[] = []
  for await (const airing of airings) {
    if (wanted(airing)) group.push(airing)
    if (group.length < AIRINGS_AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

const videosOf = (airings: readonly ProgramAiring[]): readonly string[] => [
  ...new Set(
    airings.flatMap(({ entries }) =>
      entries.flatMap(({ type, referenceId }) =>
        type === 'VIDEO' && referenceId !== null ? [referenceId] : [],
      ),
    ),
  ),
]
