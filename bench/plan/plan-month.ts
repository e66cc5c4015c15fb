import { emptyPlanState } from '@continuity/core/rules/plan-input'
import { planSchedule } from '@continuity/core/rules/plan-schedule'
import { readPlanRules } from '@continuity/core/rules/read-plan-rules'
import { aCatalog, aVideo } from '@continuity/core/rules/testing/a-catalog'
import { median, round } from '@continuity/dev/figures'

/** Plans a month of one channel and reports the cost to its parent: a process of its own, so that nothing else is counted. */
const [videoCount, days, rounds] = process.argv.slice(2).map(Number) as [number, number, number]

const FROM_MS = Date.parse('2026-10-10T00:00:00Z')
const DAY_MS = 86_400_000

const everything = { filter: { exists: 'video_id' } }
const filling = { content: everything, order: 'SHUFFLE' }
const times = (from: string, to: string) => [{ from, to }]

/** In all but the first, one video in 5,000 is allowed, for different reasons. */
const cases: Readonly<Record<string, object>> = {
  usual: {
    separation: [
      { by: 'VIDEO', minutes: 2_880 },
      { by: 'SERIES', minutes: 120 },
      { by: 'KEYWORD', keyword: 'common', minutes: 60 },
    ],
    ratings: [{ from: '06:00', to: '20:00', allowed: ['G'] }],
    breaks: { at: 'CUE_POINTS', every_minutes: 12 },
    blocks: [
      {
        id: 'strip',
        times: times('20:00', '21:00'),
        content: { series_ids: ['s1', 's2'] },
        order: 'NEXT_EPISODE',
      },
      {
        id: 'new',
        times: times('18:00', '20:00'),
        content: { filter: { gte: { date_published: 'now-30d' } } },
        order: 'NEWEST_FIRST',
      },
      {
        id: 'night',
        times: times('00:00', '05:00'),
        content: everything,
        order: 'NEXT_EPISODE',
        track: 'night',
      },
      {
        id: 'replay',
        times: times('02:00', '03:00'),
        priority: 1,
        content: { block_id: 'strip' },
        order: 'REPLAY',
      },
    ],
    default: filling,
  },
  rating: { ratings: [{ from: '00:00', to: '00:00', allowed: ['rare'] }], default: filling },
  rating_of_episodes: {
    ratings: [{ from: '00:00', to: '00:00', allowed: ['rare'] }],
    default: { content: everything, order: 'NEXT_EPISODE' },
  },
  availability: {
    availability: [{ keyword: 'common', until: '2026-01-01T00:00:00Z' }],
    default: filling,
  },
  keyword: {
    separation: [{ by: 'KEYWORD', keyword: 'common', minutes: 10_080, strict: true }],
    default: filling,
  },
  nothing: { ratings: [{ from: '00:00', to: '00:00', allowed: ['none'] }], default: filling },
}

const videos = Array.from({ length: videoCount }, (_, at) => {
  const isRare = at % 5_000 === 0
  const published = new Date(FROM_MS - (at % 2_000) * DAY_MS).toISOString()
  return aVideo(`00000000-0000-7000-8000-${String(at).padStart(12, '0')}`, {
    minutes: 10 + (at % 80),
    parental_rating: isRare ? 'rare' : at % 3 === 0 ? 'G' : 'PG',
    keywords: isRare ? ['scarce'] : ['common', `k${at % 50}`],
    series_id: at % 4 === 0 ? null : `s${at % 2_500}`,
    season_number: 1,
    episode_number: Math.floor(at / 2_500),
    date_published: published,
    cue_points_ms: [300_000, 900_000, 1_800_000],
  })
})
const catalog = aCatalog(videos)
for (let at = 0; at < 3; at += 1) globalThis.gc?.()
const catalogBytes = readBytes()
let mostBytes = 0

const costs = Object.entries(cases).map(([name, document]) => {
  const read = readPlanRules({ time_zone: 'Europe/Berlin', ...document })
  if (read.kind === 'rejected') throw new Error(JSON.stringify(read.faults))
  const input = {
    catalog,
    state: emptyPlanState,
    seed: 1,
    from_ms: FROM_MS,
    to_ms: FROM_MS + days * DAY_MS,
    fixed: [],
  }
  let programs = 0
  // Processor time of the thread that plans, which is how long it takes on an idle machine: on a busy one the elapsed time
  // would measure other processes. Garbage is collected on other threads in part, which only the whole process counts.
  const runs = Array.from({ length: rounds }, () => {
    const [thread, whole, startMs] = [process.threadCpuUsage(), process.cpuUsage(), performance.now()]
    programs = planSchedule({ ...input, rules: read.rules }).programs.length
    const elapsedMs = performance.now() - startMs
    const [threadMs, wholeMs] = [msOf(process.threadCpuUsage(thread)), msOf(process.cpuUsage(whole))]
    mostBytes = Math.max(mostBytes, readBytes())
    return { threadMs, wholeMs, elapsedMs }
  })
  const medianOf = (field: keyof (typeof runs)[number]) => round(median(runs.map((run) => run[field])), 0)
  return {
    name,
    programs,
    threadMs: medianOf('threadMs'),
    wholeMs: medianOf('wholeMs'),
    elapsedMs: medianOf('elapsedMs'),
  }
})

process.send?.({
  videos: videoCount,
  days,
  ...Object.fromEntries(costs.map(({ name, programs }) => [`programs_${name}`, programs])),
  ...Object.fromEntries(costs.map(({ name, threadMs }) => [`cpu_ms_${name}`, threadMs])),
  slowest_cpu_ms: Math.max(...costs.map(({ threadMs }) => threadMs)),
  slowest_cpu_ms_of_all_threads: Math.max(...costs.map(({ wholeMs }) => wholeMs)),
  slowest_elapsed_ms: Math.max(...costs.map(({ elapsedMs }) => elapsedMs)),
  catalog_mb: round(catalogBytes / 1e6, 0),
  catalog_and_plan_mb: round(mostBytes / 1e6, 0),
})

function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}

/** Garbage that was not collected yet is counted too. */
function readBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
