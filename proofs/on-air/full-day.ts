import type { Draw } from '@continuity/dev/draw'
import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import {
  createChannel,
  createOutput,
  PATIENCE_MS,
  startChannel,
  untilAnswered,
  untilOnAir,
  urlsOf,
} from './channels.ts'
import type { OnAirSystem } from './on-air-system.ts'
import { directOf, type WatchedOutput } from './output-watch.ts'
import { type Item, lengthOf, schedulePrograms } from './programs.ts'

export interface DaySize {
  readonly channels: number
  /** Per channel; they follow one another over a day and an hour. */
  readonly programs: number
  readonly itemsOfEach: number
}

export interface FullDay {
  readonly outputs: readonly WatchedOutput[]
  /** When programs begin, in order. */
  readonly startsMs: readonly number[]
}

/** One hour more than the time without the control room. */
const HOURS = 25

const HOUR_MS = 3_600_000

/** Timeout for submitting all programs, on a busy machine. */
const AHEAD_MS = 15 * 60_000

/** Puts channels on air with random programs for more than a day, and three outputs each. */
export async function putDayOnAir(system: OnAirSystem, draw: Draw, size: DaySize): Promise<FullDay> {
  const more = Array.from({ length: size.channels - 1 }, (_, at) =>
    createChannel(system, { title: `More ${at}` }),
  )
  const channelIds = [system.channelId, ...(await Promise.all(more))]
  const outputs = channelIds.flatMap(outputsOf)
  for (const output of outputs) if (output.distributor !== 'direct') await createOutput(system, output)
  for (const channelId of channelIds) await startChannel(system, channelId)

  const eachMs = Math.floor((HOURS * HOUR_MS) / size.programs / 1_000) * 1_000
  const firstMs = Math.ceil(system.nowMs() / 60_000) * 60_000 + AHEAD_MS
  const startsMs = Array.from({ length: size.programs }, (_, at) => firstMs + at * eachMs)
  for (const channelId of channelIds) {
    const plans = startsMs.map((startMs) => ({
      channelId,
      startMs,
      durationMs: eachMs,
      items: someItems(system, draw, size.itemsOfEach, eachMs),
    }))
    await schedulePrograms(system, plans, PATIENCE_MS)
  }
  for (const channelId of channelIds) await untilOnAir(system, channelId, PATIENCE_MS)
  await untilPlanned(system, system.nowMs() + 24 * HOUR_MS)
  for (const output of outputs) await untilAnswered(urlsOf(system), output, PATIENCE_MS)
  return { outputs, startsMs }
}

/** Waits until the schedule of every channel is committed up to a time and published on the feed. */
export async function untilPlanned(
  { database }: Pick<OnAirSystem, 'database'>,
  plannedUntilMs: number,
): Promise<void> {
  const isPlanned = async () => {
    const { rows } = await sql<{ readonly missing: number }>`
      select (select count(*) from timelines where reach_ms is null or reach_ms < ${plannedUntilMs} or changed_ms is not null)
           + (select count(*) from feed_steps) as missing`.execute(database.platform)
    return rows[0]!.missing === 0 || undefined
  }
  if (!(await pollUntil(isPlanned, PATIENCE_MS))) throw new Error('the schedule was not committed in time')
}

const outputsOf = (channelId: string): WatchedOutput[] => [
  directOf(channelId),
  { channelId, distributor: 'cues', windowMs: 60_000, markers: 'CUE', breakPolicy: 'FULL_LENGTH' },
  { channelId, distributor: 'long', windowMs: 240_000, markers: 'DATERANGE', breakPolicy: 'ACTUAL' },
]

/** As many as fit; a tenth of them are ad pods. */
function someItems({ clips }: OnAirSystem, draw: Draw, most: number, windowMs: number): Item[] {
  const items = draw.some(Math.ceil(most / 2), most, (): Item => {
    if (draw.chance(0.1)) return { podSeconds: 2 + draw.below(60) }
    const clip = draw.below(clips.length)
    return draw.chance(0.2) ? { promo: clip } : { clip }
  })
  const fitting: Item[] = []
  let leftMs = windowMs
  for (const item of items) {
    leftMs -= lengthOf(item) * 1_000
    if (leftMs >= 0) fitting.push(item)
  }
  return fitting.some((item) => !('podSeconds' in item)) ? fitting : [{ clip: 0 }]
}
