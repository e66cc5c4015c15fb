import { openSession } from './ingest-system.ts'
import type { OnAirSystem } from './on-air-system.ts'
import type { Evaluation } from './request-log.ts'

interface Report<Row> {
  readonly rows: readonly Row[]
  readonly minutes_by_method?: Readonly<Record<string, number>>
}

let readers = 0

/** Reads the reports of some days over HTTP, as a new user who may read nothing else. */
export async function openReports({ apiUrl, login }: OnAirSystem, fromMs: number, toMs: number) {
  const [email, password] = [`reports-${readers++}@station.example`, 'ebb and flow by night']
  // By the driven clock, the first session may have expired.
  const { call } = await openSession(apiUrl, login)
  await call('POST', '/api/2.1/users', { email, password, name: 'Reports', roles: ['SCHEDULE'] })
  const session = await openSession(apiUrl, { ...login, email, password })
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return <Row = Readonly<Record<string, string | number | null>>>(report: string, query = '') =>
    session.call<Report<Row>>(
      'GET',
      `/api/2.3/reports/${report}?from=${dayOf(fromMs)}&to=${dayOf(toMs)}${query}`,
    )
}

/** Values of reports in the units of their columns, under names such as `components|timestamp|channel|distributor|VIDEO`. */
export type ReportValues = Map<string, number>

/** What the reports need besides sums. */
interface Named {
  /** Titles of channels. */
  readonly titles: ReadonlyMap<string, string>
  /** Videos by `channel|program|component|type`. */
  readonly videos: ReadonlyMap<string, string>
}

export async function readNamed({ sql }: Pick<OnAirSystem, 'sql'>): Promise<Named> {
  const channels = await sql.query<{ id: string; title: string }>(
    'select linear_channel_id as id, title from linear_channels',
  )
  const videos = await sql.query<{ name: string; id: string }>(
    `select concat_ws('|', linear_channel_id, program_id, component, type) as name, reference_id as id
       from as_run_entries where type in ('VIDEO', 'INTERSTITIAL') and program_id is not null
     union
     select concat_ws('|', linear_channel_id, open_entry->'program'->>'id', open_entry->>'component', open_entry->>'type'),
            open_entry->>'referenceId'
       from timelines where open_entry->>'type' in ('VIDEO', 'INTERSTITIAL')`,
  )
  return {
    titles: new Map(channels.map(({ id, title }) => [id, title])),
    videos: new Map(videos.map(({ name, id }) => [name, id])),
  }
}

/** The values that the reports must have, by an evaluation of the requests. */
export function expectReports({ hours, minutes }: Evaluation, { titles, videos }: Named): ReportValues {
  const values: ReportValues = new Map()
  const add = (names: readonly string[], amount: number) => {
    const name = names.join('|')
    values.set(name, (values.get(name) ?? 0) + amount)
  }
  for (const [name, amount] of hours) {
    const [ms, channel, distributor, country, program, component, type, what] = name.split('|') as EightNames
    const at = timeOf(ms)
    const day = `${at.slice(0, 10)}T00:00:00.000Z`
    if (what === 'starts') {
      add(['channels', day, titles.get(channel) ?? '', distributor], amount)
      add(['audience starts', day, channel, distributor], amount)
      add(['audience starts by country', day, channel, distributor, country], amount)
      continue
    }
    const video = videos.get([channel, program, component, type].join('|')) ?? 'unknown'
    add(['components', at, channel, distributor, type], amount / 60_000)
    add(['audience hours', day, channel, distributor], amount / 3_600_000)
    add(['audience hours by country', day, channel, distributor, country], amount / 3_600_000)
    if (type === 'AD_POD') add(['audience ad seconds', day, channel, distributor], amount / 1_000)
    if (type === 'INTERSTITIAL') add(['interstitials', day, video, program, distributor], amount / 60_000)
    if (type !== 'VIDEO') continue
    add(['videos', at, channel, distributor, video], amount / 60_000)
    add(['videos by country', at, channel, distributor, video, country], amount / 60_000)
  }
  const concurrent: ReportValues = new Map()
  for (const [name, amount] of minutes) {
    const [ms, channel, distributor, program, component, type, what] = name.split('|') as SevenNames
    if (what === 'starts') continue
    const at = timeOf(ms)
    const minute = [at, channel, distributor].join('|')
    concurrent.set(minute, (concurrent.get(minute) ?? 0) + amount / 60_000)
    const video = videos.get([channel, program, component, type].join('|')) ?? 'unknown'
    if (type === 'VIDEO') add(['videos by minute', at, channel, distributor, video], amount / 60_000)
  }
  for (const [name, viewers] of concurrent) {
    const [at, channel, distributor] = name.split('|') as [string, string, string]
    const busiest = ['audience peak', `${at.slice(0, 10)}T00:00:00.000Z`, channel, distributor].join('|')
    values.set(busiest, Math.max(values.get(busiest) ?? 0, viewers))
  }
  return values
}

type SevenNames = [string, string, string, string, string, string, string]
type EightNames = [...SevenNames, string]

const timeOf = (ms: string): string => new Date(Number(ms)).toISOString()

const ofChannel = ['timestamp', 'linear_channel_id', 'distributor']
const ofVideo = [...ofChannel, 'video_id']
const countries = '&include_countries=true'

/** The columns that name a value of a report, and those that are values. */
const reports: readonly {
  readonly path: string
  readonly query?: string
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string>>
}[] = [
  {
    path: 'analytics/components',
    names: [...ofChannel, 'component_type'],
    values: { components: 'minutes_watched' },
  },
  { path: 'analytics', names: ofVideo, values: { videos: 'minutes_watched' } },
  {
    path: 'analytics',
    query: countries,
    names: [...ofVideo, 'country'],
    values: { 'videos by country': 'minutes_watched' },
  },
  {
    path: 'analytics',
    query: '&time_frame=minute',
    names: ofVideo,
    values: { 'videos by minute': 'minutes_watched' },
  },
  {
    path: 'analytics/interstitials',
    names: ['timestamp', 'component_reference_id', 'program_id', 'distributor'],
    values: { interstitials: 'minutes_watched' },
  },
  {
    path: 'analytics/channels',
    names: ['timestamp', 'linear_channel_name', 'distributor'],
    values: { channels: 'channel_starts' },
  },
  {
    path: 'audience',
    names: ofChannel,
    values: {
      'audience hours': 'hours_watched',
      'audience peak': 'peak_concurrent',
      'audience starts': 'starts',
      'audience ad seconds': 'ad_break_seconds',
    },
  },
  {
    path: 'audience',
    query: countries,
    names: [...ofChannel, 'country'],
    values: { 'audience hours by country': 'hours_watched', 'audience starts by country': 'starts' },
  },
]

/** The values of the reports, over HTTP. A duplicate row gets a name of its own. */
export async function readReports(read: Awaited<ReturnType<typeof openReports>>): Promise<ReportValues> {
  const stated: ReportValues = new Map()
  for (const { path, query, names, values } of reports) {
    for (const row of (await read(path, query)).rows) {
      for (const [report, column] of Object.entries(values)) {
        const name = [report, ...names.map((it) => row[it])].join('|')
        const value = Number(row[column])
        if (value !== 0) stated.set(stated.has(name) ? `${name} twice` : name, value)
      }
    }
  }
  return stated
}

/** Half of the third decimal, which reports round to, and what floating point adds. */
export const ROUNDED = 0.000501

type Amounts = ReadonlyMap<string, number>

/** What is not between its least and its most. */
export function outOfBounds(stated: Amounts, least: Amounts, most: Amounts, tolerance: number): string[] {
  const names = new Set([...stated.keys(), ...most.keys()])
  return [...names].flatMap((name) => {
    const [value = 0, low = 0, high = 0] = [stated, least, most].map((amounts) => amounts.get(name))
    const isRight = value >= low - tolerance && value <= high + tolerance
    return isRight ? [] : `${name}: ${value}, not from ${low} to ${high}`
  })
}

/** The names of reports, and the sum of the minutes of all components. */
export const kindsIn = (values: ReportValues): number =>
  new Set([...values.keys()].map((name) => name.split('|')[0])).size

export function componentMinutesOf(values: ReportValues) {
  const own = [...values].filter(([name]) => name.startsWith('components|'))
  return { minutes: own.reduce((sum, [, value]) => sum + value, 0), roundedBy: own.length * ROUNDED }
}
