import type { CatalogVideo, FixedProgram, PlanInput } from '@continuity/core/rules/plan-input'
import { emptyPlanState } from '@continuity/core/rules/plan-input'
import type { PlanRules } from '@continuity/core/rules/plan-rules'
import { readPlanRules } from '@continuity/core/rules/read-plan-rules'
import { aCatalog, aVideo } from '@continuity/core/rules/testing/a-catalog'
import { createDraw, type Draw } from '../draw.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
]
/** Four days from each have clock changes in one of the zones, or a leap day. */
const starts = [
  '2026-03-06',
  '2026-03-27',
  '2026-04-03',
  '2026-10-02',
  '2026-10-23',
  '2026-10-30',
  '2028-02-27',
]
const ratings = ['G', 'PG', 'R', null]
const keywords = ['war', 'snow', 'space']
const times = ['00:00', '02:30', '03:00', '06:00', '09:15', '12:00', '17:30', '20:00', '22:45', '23:30']

/** Random rules over a random catalog. */
export function randomInput(seed: number, days: number): PlanInput {
  const draw = createDraw(seed)
  const videos = randomVideos(draw)
  const all = videos.map(({ video_id }) => video_id)
  // Interstitials are not programs, so that a checker can distinguish them.
  const ids = all.filter((id) => !id.startsWith('bumper'))
  const playlists = {
    p1: draw.some(0, 12, () => (draw.chance(0.05) || ids.length === 0 ? 'gone' : draw.one(ids))),
    p2: draw.some(1, 40, () => draw.one([...ids, 'gone'])),
    bumpers: all.filter((id) => id.startsWith('bumper')),
  }
  const from_ms = Date.parse(`${draw.one(starts)}T00:00:00Z`) + draw.below(48) * 30 * MINUTE_MS
  const to_ms = from_ms + days * DAY_MS
  return {
    rules: randomRules(draw, from_ms),
    catalog: aCatalog(videos, playlists),
    state: emptyPlanState,
    seed,
    from_ms,
    to_ms,
    fixed: draw.chance(0.5) ? randomFixed(draw, from_ms, to_ms, ids) : [],
  }
}

function randomVideos(draw: Draw): CatalogVideo[] {
  const date = () =>
    `2026-${draw.one(['02', '03', '10'])}-${10 + draw.below(18)}T${10 + draw.below(10)}:00:00Z`
  const base = () => ({
    minutes: draw.one([3, 11, 22, 26, 45, 52, 90]) + draw.below(4) / 4,
    parental_rating: draw.one(ratings),
    keywords: keywords.filter(() => draw.chance(0.2)),
    genres: [{ genre: draw.one(['news', 'film', 'kids']), sub_genre: '' }],
    date_published: draw.chance(0.9) ? date() : null,
    date_available: draw.chance(0.1) ? date() : null,
    date_expired: draw.chance(0.1) ? date() : null,
    status: draw.chance(0.05) ? 'DISABLED' : 'READY',
  })
  const withCues = (video: CatalogVideo): CatalogVideo => ({
    ...video,
    cue_points_ms: draw
      .some(0, 9, () => draw.below(video.duration_ms / 1_000) * 1_000)
      .toSorted((one, other) => one - other),
  })
  const films = draw.some(0, 40, () => base()).map((fields, at) => withCues(aVideo(`film-${at}`, fields)))
  const series = ['s1', 's2', 's3'].flatMap((series_id) =>
    draw
      .some(0, 14, () => base())
      .map((fields, at) => {
        const numbers = { season_number: 1 + Math.floor(at / 5), episode_number: 1 + (at % 5) }
        return withCues(aVideo(`${series_id}-${at}`, { ...fields, series_id, ...numbers }))
      }),
  )
  const bumpers = draw.some(0, 3, () => 1).map((_, at) => aVideo(`bumper-${at}`, { minutes: 0.25 }))
  return [...films, ...series, ...bumpers]
}

function randomRules(draw: Draw, fromMs: number): PlanRules {
  const content = () =>
    draw.one([
      { series_ids: draw.some(1, 3, () => draw.one(['s1', 's2', 's3', 'none'])) },
      { playlist_id: draw.one(['p1', 'p2', 'none']) },
      { filter: { in: { genre: draw.some(1, 2, () => draw.one(['news', 'film', 'kids'])) } } },
      { filter: { exists: 'genre' } },
      { filter: { gte: { date_published: 'now-20d/d' } } },
    ])
  const filling = () => ({
    content: content(),
    order: draw.one(['NEXT_EPISODE', 'MARATHON', 'SHUFFLE', 'SHUFFLE', 'NEWEST_FIRST']),
    track: draw.one(['main', 'main', 'other']),
    at_end: draw.one(['REPEAT', 'REPEAT', 'STOP']),
  })
  const breaks = () => ({
    at: draw.one(['NONE', 'BETWEEN', 'CUE_POINTS', 'CUE_POINTS']),
    every_minutes: draw.one([1, 8, 12, 25]),
    length_seconds: draw.one([30, 90, 120]),
    most_per_hour: draw.one([null, 1, 2, 4]),
    from_start_minutes: draw.below(6),
    from_end_minutes: draw.below(6),
    before_playlist_id: draw.chance(0.3) ? 'bumpers' : null,
    after_playlist_id: draw.chance(0.3) ? 'bumpers' : null,
  })
  const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']
  const days = () => weekdays.filter(() => draw.chance(0.7)).concat('WED')
  const timeOfDay = () => ({ from: draw.one(times), to: draw.one(times) })
  const dateAfter = (most: number) => new Date(fromMs + draw.below(most) * DAY_MS).toISOString().slice(0, 10)
  const blocks = draw
    .some(0, 6, () => 1)
    .map((_, at) => ({
      id: `b${at}`,
      ...filling(),
      priority: draw.below(3),
      days: [...new Set(days())],
      first_date: draw.chance(0.2) ? dateAfter(10) : null,
      last_date: draw.chance(0.2)
        ? new Date(fromMs + (10 + draw.below(20)) * DAY_MS).toISOString().slice(0, 10)
        : null,
      times: draw.some(1, 2, timeOfDay),
      starts: draw.one([null, 'NONE', 'HOUR', 'HALF_HOUR']),
      breaks: draw.chance(0.5) ? breaks() : null,
      most: draw.chance(0.2) ? 1 + draw.below(4) : null,
      rest: draw.one(['DEFAULT', 'FILL']),
    }))
  const sources = blocks.map(({ id }) => id)
  const replays =
    sources.length > 0 && draw.chance(0.4)
      ? [
          {
            ...blocks[0]!,
            id: 'replay',
            priority: 3,
            content: { block_id: draw.one(sources) },
            order: draw.one(['REPLAY', 'SHUFFLE']),
          },
        ]
      : []
  const document = {
    time_zone: draw.one(zones),
    blocks: [...blocks, ...replays],
    default: draw.chance(0.85) ? filling() : null,
    starts: draw.one(['NONE', 'NONE', 'HALF_HOUR', 'HOUR']),
    breaks: breaks(),
    separation: draw
      .some(0, 3, () => 1)
      .map(() => {
        const by = draw.one(['VIDEO', 'SERIES', 'KEYWORD'])
        const keyword = by === 'KEYWORD' ? draw.one(keywords) : null
        return { by, keyword, minutes: draw.one([30, 120, 720, 4_000]), strict: draw.chance(0.25) }
      }),
    ratings: draw
      .some(0, 2, () => 1)
      .map(() => ({
        ...timeOfDay(),
        days: [...new Set(days())],
        allowed: ratings.filter((rating) => rating !== null && draw.chance(0.5)),
        unrated: draw.chance(0.5),
      })),
    availability: draw.chance(0.2)
      ? [{ keyword: draw.one(keywords), from: '2026-03-10T00:00:00Z', until: '2026-10-25T12:00:00Z' }]
      : [],
  }
  const read = readPlanRules(document)
  if (read.kind === 'rejected') throw new Error(`random rules were rejected: ${JSON.stringify(read.faults)}`)
  return read.rules
}

/** Programs of partners and operators that do not overlap. */
function randomFixed(draw: Draw, fromMs: number, toMs: number, ids: readonly string[]): FixedProgram[] {
  const fixed: FixedProgram[] = []
  for (let ms = fromMs - HOUR_MS; ms < toMs + 2 * DAY_MS; ) {
    const start_ms = ms + draw.below(72) * 10 * MINUTE_MS
    const end_ms = start_ms + (1 + draw.below(300)) * MINUTE_MS
    fixed.push({ start_ms, end_ms, ...(draw.chance(0.3) ? { video_ids: [draw.one(ids)] } : {}) })
    ms = end_ms
  }
  return ids.length === 0 ? fixed.map(({ start_ms, end_ms }) => ({ start_ms, end_ms })) : fixed
}
