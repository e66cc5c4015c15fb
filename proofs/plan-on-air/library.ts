import type { Draw } from '@continuity/dev/draw'
import type { PlanApi } from '../../packages/server/src/modules/plans/testing/a-plan-api.ts'
import type { ScheduleAccount } from '../../packages/server/src/modules/schedule/testing/a-schedule-api.ts'
import type { RunStatement } from './play-plan.ts'

/** What is in the catalog of the account, for edits to choose from. */
export interface Library {
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

export async function makeLibrary(
  system: PlanApi,
  account: ScheduleAccount,
  draw: Draw,
  run: RunStatement,
): Promise<Library> {
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
  for (let at = 0; at < FILMS; at += 1) await addFilm(system, account, draw, library, run)
  return library
}

/** Of 20 to 28 minutes; four minutes are whole segments. */
export async function addEpisode(
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
export async function addFilm(
  system: PlanApi,
  account: ScheduleAccount,
  draw: Draw,
  { films }: Library,
  run: RunStatement,
): Promise<void> {
  const minutes = 60 + 4 * draw.below(13)
  const id = await system.aFilm(account, `Film ${films.length + 1}`, minutes)
  const cuts: { segment: number; ticks: number }[] = []
  for (let segment = 0; ; ) {
    segment += 150 + draw.below(130)
    if (segment * 3.2 > minutes * 60 - 60) break
    cuts.push({ segment, ticks: segment * 288_000 })
  }
  await run('update assets set cuts = $3::jsonb where account_id = $1 and video_id = $2', [
    account.accountId,
    id,
    JSON.stringify(cuts),
  ])
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
