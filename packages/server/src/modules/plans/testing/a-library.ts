import type { Draw } from '@continuity/dev/draw'
import { sql } from 'kysely'
import type { ScheduleAccount } from '../../schedule/testing/a-schedule-api.ts'
import { type Hit, type PlanApi, planOf } from './a-plan-api.ts'

/** What is in the catalog of the account, for edits to choose from. */
interface Library {
  readonly seriesIds: readonly string[]
  readonly films: string[]
  readonly episodes: string[]
  /** By series. */
  readonly lastEpisode: Map<string, number>
}

/** The same in all rules, so that it holds from the first minute to the last. */
export const BREAK_SECONDS = 90
export const BREAKS_PER_HOUR = 4
export const SEPARATION_MINUTES = 180

export const REPLAY_ID = 'again'

const SERIES = 3
const EPISODES_EACH = 20
const FILMS = 50

export async function makeLibrary(system: PlanApi, account: ScheduleAccount, draw: Draw): Promise<Library> {
  const library: Library = {
    seriesIds: await Promise.all(
      Array.from({ length: SERIES }, (_, at) => system.aSeries(account, `Series ${at + 1}`)),
    ),
    films: [],
    episodes: [],
    lastEpisode: new Map(),
  }
  for (const seriesId of library.seriesIds)
    for (let at = 0; at < EPISODES_EACH; at += 1) await addEpisode(system, account, draw, library, seriesId)
  for (let at = 0; at < FILMS; at += 1) await addFilm(system, account, draw, library)
  return library
}

/** Of 20 to 28 minutes; four minutes are whole segments. */
async function addEpisode(
  system: PlanApi,
  account: ScheduleAccount,
  draw: Draw,
  { lastEpisode, episodes }: Library,
  seriesId: string,
): Promise<void> {
  const episode = (lastEpisode.get(seriesId) ?? 0) + 1
  const id = await system.aFilm(account, `Episode ${episode}`, 20 + 4 * draw.below(3), seriesId, episode)
  lastEpisode.set(seriesId, episode)
  episodes.push(id)
}

/** A film with a cue point every eight to fifteen minutes. */
async function addFilm(
  system: PlanApi,
  account: ScheduleAccount,
  draw: Draw,
  { films }: Library,
): Promise<void> {
  const minutes = 60 + 4 * draw.below(13)
  const id = await system.aFilm(account, `Film ${films.length + 1}`, minutes)
  const cuts: { segment: number; ticks: number }[] = []
  for (let segment = 0; ; ) {
    segment += 150 + draw.below(130)
    if (segment * 3.2 > minutes * 60 - 60) break
    cuts.push({ segment, ticks: segment * 288_000 })
  }
  await sql`update assets set cuts = ${JSON.stringify(cuts)}::jsonb
             where account_id = ${account.accountId} and video_id = ${id}`.execute(account.db)
  const given = { cue_points_ms: cuts.map(({ ticks }) => ticks / 90) }
  const answer = await account.admin.patch(`/api/2.1/videos/${id}`, given)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  films.push(id)
}

const films = { filter: { not: { exists: 'series_id' } } }

/** Other rules over the same library. */
export function drawRules(draw: Draw, { seriesIds }: Library): object {
  const evening = 17 + draw.below(5)
  const blocks: object[] = []
  if (draw.chance(0.8))
    blocks.push({
      id: 'evening',
      ...(draw.chance(0.3) && { days: ['MON', 'TUE', 'WED', 'THU', 'FRI'] }),
      times: [{ from: `${evening}:00`, to: `${evening + 1}:30` }],
      content: { series_ids: [draw.one(seriesIds)] },
      order: 'NEXT_EPISODE',
      track: 'evening',
      starts: draw.one(['NONE', 'HALF_HOUR']),
      priority: 2,
    })
  if (draw.chance(0.5) && blocks.length > 0)
    blocks.push({
      id: REPLAY_ID,
      times: [{ from: '04:00', to: '06:00' }],
      content: { block_id: 'evening' },
      order: 'REPLAY',
    })
  if (draw.chance(0.6))
    blocks.push({
      id: 'late',
      times: [{ from: '22:30', to: '02:00' }],
      content: films,
      order: draw.one(['SHUFFLE', 'NEWEST_FIRST']),
      rest: draw.one(['DEFAULT', 'FILL']),
    })
  if (draw.chance(0.5))
    blocks.push({
      id: 'weekend',
      days: ['SAT', 'SUN'],
      times: [{ from: '13:00', to: '16:00' }],
      content: { series_ids: [draw.one(seriesIds)] },
      order: 'MARATHON',
      track: 'weekend',
      priority: 1,
    })
  return {
    time_zone: 'Europe/Berlin',
    horizon_days: 9 + draw.below(4),
    blocks,
    default: draw.one([
      { content: { filter: { exists: 'title' } }, order: 'SHUFFLE', track: 'all' },
      { content: films, order: 'SHUFFLE', track: 'films' },
      { content: { series_ids: seriesIds }, order: 'NEXT_EPISODE', track: 'day' },
    ]),
    breaks: {
      at: 'CUE_POINTS',
      every_minutes: 12,
      length_seconds: BREAK_SECONDS,
      most_per_hour: BREAKS_PER_HOUR,
    },
    separation: [{ by: 'VIDEO', minutes: SEPARATION_MINUTES, strict: true }],
  }
}

/** What people do while a channel plays by its rules. */
export const editKinds = ['rules', 'one-off', 'cancel', 'move', 'delete-video', 'upload'] as const
export type EditKind = (typeof editKinds)[number]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** So many stay, or nothing would be left that the separation allows. */
const LEAST_FILMS = 30
const LEAST_EPISODES = 40

/** What an edit may be answered with: done, or a rejection that the interface documents. */
const expected: Readonly<Record<EditKind, readonly number[]>> = {
  rules: [200],
  'one-off': [201, 409, 422],
  cancel: [204, 409],
  move: [200, 409, 422],
  'delete-video': [204, 409],
  upload: [],
}

interface Editor {
  /** Changes something. Returns the kind if it was done, undefined if it was rejected. */
  edit(upcoming: readonly Hit[]): Promise<EditKind | undefined>
}

export function createEditor(
  system: PlanApi,
  account: ScheduleAccount,
  draw: Draw,
  library: Library,
): Editor {
  const { api } = system
  const { admin, channelId } = account
  const programs = `/api/2.3/linear_channels/${channelId}/programs`
  let made = 0

  const soon = () => api.nowMs + 90_000 + draw.below(draw.one([2 * HOUR_MS, DAY_MS, 6 * DAY_MS]))
  const tryEdit = async (kind: EditKind, upcoming: readonly Hit[]): Promise<number | undefined> => {
    switch (kind) {
      case 'rules': {
        const from = draw.chance(0.5) ? '' : `?from=${new Date(soon()).toISOString()}`
        return (await admin.put(`${planOf(account)}${from}`, drawRules(draw, library))).statusCode
      }
      case 'one-off': {
        made += 1
        const start = Math.ceil(soon() / 60_000) * 60_000
        const items = [{ video_id: draw.one(library.films) }]
        const body = { title: `Special ${made}`, start_time: new Date(start).toISOString(), items }
        return (await admin.post(programs, body)).statusCode
      }
      case 'cancel': {
        if (upcoming.length === 0) return undefined
        return (await admin.delete(`${programs}/${draw.one(upcoming).program_id}`)).statusCode
      }
      case 'move': {
        const own = upcoming.filter(({ origin }) => origin.type === 'OPERATOR')
        if (own.length === 0) return undefined
        return move(draw.one(own).program_id)
      }
      case 'delete-video': {
        const [videos, least] = draw.chance(0.5)
          ? [library.films, LEAST_FILMS]
          : [library.episodes, LEAST_EPISODES]
        if (videos.length <= least) return undefined
        const at = draw.below(videos.length)
        const { statusCode } = await admin.delete(`/api/2.1/videos/${videos[at]!}`)
        if (statusCode === 204) videos.splice(at, 1)
        return statusCode
      }
      case 'upload':
        if (draw.chance(0.5)) await addFilm(system, account, draw, library)
        else await addEpisode(system, account, draw, library, draw.one(library.seriesIds))
        return 201
      default:
        throw new Error(`no edit of the kind ${String(kind satisfies never)}`)
    }
  }
  const move = async (programId: string): Promise<number | undefined> => {
    const path = `${programs}/${programId}`
    const found = await admin.get<{ title: string; items: object[] }>(path)
    if (found.statusCode !== 200) return undefined
    const { title, items } = found.json()
    const start = Math.ceil(soon() / 60_000) * 60_000
    return (await admin.put(path, { title, items, start_time: new Date(start).toISOString() })).statusCode
  }
  return {
    async edit(upcoming) {
      const kind = draw.one(editKinds)
      const status = await tryEdit(kind, upcoming)
      if (status === undefined || status >= 400) {
        if (status !== undefined && !expected[kind].includes(status)) throw new Error(`${kind}: ${status}`)
        return undefined
      }
      return kind
    },
  }
}
