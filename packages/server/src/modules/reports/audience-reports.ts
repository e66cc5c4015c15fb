import { DAY_MS } from './day-range.ts'
import type { Column } from './report-columns.ts'

/** Account and times are written into its statements: COPY takes no values. */
export interface AudienceReport {
  readonly columns: readonly Column[]
  /** The part of a statement from `from` on, for one day. Only reports with shared columns insert the join that makes them. */
  fromOf(accountId: string, dayMs: number, makeShared?: string): string
  /** The condition of its rows, for the minutes by method; null where the report is not of minutes. */
  readonly watchedOnly: string | null
  /** Whether the body has the minutes by method; the reports of the interface have them in a trailer only. */
  readonly hasMethods: boolean
}

const watched = 'cmcd_v2_ms + cmcd_v1_ms + heartbeat_ms'
const minutesOf = (rows: string): Column => ({
  name: 'minutes_watched',
  sql: `round(${rows}.ms / 60000.0, 3)`,
  kind: 'number',
})
const distributorOf = (rows: string): Column => ({
  name: 'distributor',
  sql: `${rows}.distributor`,
  kind: 'text',
})
const countryOf = (rows: string): Column => ({ name: 'country', sql: `${rows}.country`, kind: 'word' })
const channelId: Column = { name: 'linear_channel_id', sql: 'w.linear_channel_id::text', kind: 'word' }
const channelName: Column = { name: 'linear_channel_name', sql: 'c.title', kind: 'text' }

/** ISO 8601, of a time in milliseconds. */
const at = (ms: string): Column => ({
  name: 'timestamp',
  sql: `to_char(to_timestamp(${ms} / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`,
  kind: 'word',
})

const within = (time: string, accountId: string, dayMs: number): string =>
  `account_id = '${accountId}' and ${time} >= ${dayMs} and ${time} < ${dayMs + DAY_MS}`

/** By an index, one row each, so that the rows stay sorted; a deleted channel keeps its name. */
const channelOf = (accountId: string): string => `left join linear_channels c
    on c.account_id = '${accountId}' and c.linear_channel_id = w.linear_channel_id`

/** The stored document of a video lacks its last bracket, and contains one character that is not JSON. */
const videoOf = (accountId: string): string => `left join lateral (
    select v.title, v.video_source_id, b.name as brand_name, s.title as series_name,
           (replace(v.document, E'\\x01', '') || '}')::jsonb ->> 'description' as description
      from videos v
      left join brands b on b.account_id = '${accountId}' and b.brand_id = v.brand_id
      left join series s on s.account_id = '${accountId}' and s.series_id = v.series_id
     where v.account_id = '${accountId}' and v.video_id = w.reference_id
    offset 0) v on true`

const videoColumns: readonly Column[] = [
  { name: 'brand_name', sql: 'v.brand_name', kind: 'text' },
  { name: 'series_name', sql: 'v.series_name', kind: 'text' },
  { name: 'video_id', sql: 'w.reference_id::text', kind: 'word' },
  { name: 'video_title', sql: 'v.title', kind: 'text' },
  { name: 'video_description', sql: 'v.description', kind: 'text' },
  { name: 'external_video_id', sql: 'v.video_source_id', kind: 'text' },
]

const shared = (column: Column): Column => ({ ...column, isShared: true })

/**
 * Minutes by video. A channel's hour has a video once for each distributor: its names are looked up once for all of them. The
 * innermost sums come in the order of the primary key, so that nothing more than a channel's hour is sorted at a time.
 */
export function analytics(timeFrame: 'hour' | 'minute', hasCountries: boolean): AudienceReport {
  const [table, time] =
    timeFrame === 'hour' ? ['audience_hours', 'hour_ms'] : ['audience_minutes', 'minute_ms']
  const isByCountry = hasCountries && timeFrame === 'hour'
  const airing = [time, 'linear_channel_id', 'reference_id']
  const viewers = ['distributor', ...(isByCountry ? ['country'] : [])]
  const keys = [time, 'linear_channel_id', 'distributor', 'reference_id', ...(isByCountry ? ['country'] : [])]
  const listed = [...viewers, 'ms']
  return {
    columns: [
      ...[at(`w.${time}`), channelId, channelName].map(shared),
      distributorOf('d'),
      ...videoColumns.map(shared),
      minutesOf('d'),
      ...(isByCountry ? [countryOf('d')] : []),
    ],
    watchedOnly: `type = 'VIDEO'`,
    hasMethods: false,
    fromOf: (accountId, dayMs, makeShared = '') => `
      from (select ${airing.join(', ')}, ${listed.map((name) => `array_agg(${name}) as ${name}_list`).join(', ')}
              from (select ${keys.join(', ')}, sum(${watched}) as ms
                      from ${table}
                     where ${within(time, accountId, dayMs)} and type = 'VIDEO'
                     group by ${keys.join(', ')}
                    having sum(${watched}) > 0) sums
             group by ${airing.join(', ')}) w
      ${channelOf(accountId)}
      ${videoOf(accountId)}
      ${makeShared}
      cross join lateral unnest(${listed.map((name) => `w.${name}_list`).join(', ')}) as d(${listed.join(', ')})
     order by ${keys.map((key) => `${viewers.includes(key) ? 'd' : 'w'}.${key}`).join(', ')}`,
  }
}

/** Minutes by interstitial and program, a day at a time. */
export const interstitials: AudienceReport = {
  columns: [
    at('w.day_ms'),
    { name: 'component_reference_id', sql: 'w.reference_id::text', kind: 'word' },
    { name: 'component_title', sql: 'v.title', kind: 'text' },
    { name: 'program_id', sql: 'w.program_id', kind: 'text' },
    { name: 'program_title', sql: 'p.title', kind: 'text' },
    distributorOf('w'),
    minutesOf('w'),
  ],
  watchedOnly: `type = 'INTERSTITIAL'`,
  hasMethods: false,
  fromOf: (accountId, dayMs) => `
      from (select ${dayMs}::bigint as day_ms, reference_id, program_id, distributor, sum(${watched}) as ms
              from audience_hours
             where ${within('hour_ms', accountId, dayMs)} and type = 'INTERSTITIAL'
             group by reference_id, program_id, distributor
            having sum(${watched}) > 0) w
      left join videos v on v.account_id = '${accountId}' and v.video_id = w.reference_id
      left join programs p on p.account_id = '${accountId}'
       and p.program_id = case when w.program_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then w.program_id::uuid end
     order by w.reference_id, w.program_id, w.distributor`,
}

/** Minutes by type of component: nothing is left out. */
export const componentMinutes: AudienceReport = {
  columns: [
    at('w.hour_ms'),
    channelId,
    channelName,
    distributorOf('w'),
    { name: 'component_type', sql: 'w.type', kind: 'word' },
    minutesOf('w'),
  ],
  watchedOnly: 'true',
  hasMethods: true,
  fromOf: (accountId, dayMs) => `
      from (select hour_ms, linear_channel_id, distributor, type, sum(${watched}) as ms
              from audience_hours
             where ${within('hour_ms', accountId, dayMs)}
             group by hour_ms, linear_channel_id, distributor, type
            having sum(${watched}) > 0) w
      ${channelOf(accountId)}
     order by w.hour_ms, w.linear_channel_id, w.distributor, w.type`,
}

/** Starts by channel, a day at a time. */
export const channelStarts: AudienceReport = {
  columns: [
    at('w.day_ms'),
    channelName,
    distributorOf('w'),
    { name: 'channel_starts', sql: 'w.starts', kind: 'number' },
  ],
  watchedOnly: null,
  hasMethods: false,
  fromOf: (accountId, dayMs) => `
      from (select ${dayMs}::bigint as day_ms, linear_channel_id, distributor, sum(starts) as starts
              from audience_hours
             where ${within('hour_ms', accountId, dayMs)}
             group by linear_channel_id, distributor
            having sum(starts) > 0) w
      ${channelOf(accountId)}
     order by w.linear_channel_id, w.distributor`,
}

/**
 * The key figures of an audience, a day at a time. The busiest minute is known where the sums by minute are kept, and not by
 * country.
 */
export function audienceDays(hasCountries: boolean, nowMs: number): AudienceReport {
  const keys = ['linear_channel_id', 'distributor', ...(hasCountries ? ['country'] : [])]
  return {
    columns: [
      at('w.day_ms'),
      channelId,
      channelName,
      distributorOf('w'),
      { name: 'hours_watched', sql: 'round(w.ms / 3600000.0, 3)', kind: 'number' },
      { name: 'average_concurrent', sql: 'round(w.ms / w.length_ms::numeric, 3)', kind: 'number' },
      {
        name: 'peak_concurrent',
        sql: hasCountries ? 'null::numeric' : 'round(peak.ms / 60000.0, 3)',
        kind: 'number',
      },
      { name: 'starts', sql: 'w.starts', kind: 'number' },
      {
        name: 'average_session_minutes',
        sql: 'round(w.ms / (60000.0 * nullif(w.starts, 0)), 3)',
        kind: 'number',
      },
      { name: 'ad_break_seconds', sql: 'round(w.ad_ms / 1000.0, 3)', kind: 'number' },
      ...(hasCountries ? [countryOf('w')] : []),
    ],
    watchedOnly: 'true',
    hasMethods: true,
    fromOf: (accountId, dayMs) => `
      from (select ${dayMs}::bigint as day_ms, ${Math.max(1, Math.min(DAY_MS, nowMs - dayMs))}::bigint as length_ms,
                   ${keys.join(', ')}, sum(${watched}) as ms, sum(starts) as starts,
                   coalesce(sum(${watched}) filter (where type = 'AD_POD'), 0) as ad_ms
              from audience_hours
             where ${within('hour_ms', accountId, dayMs)}
             group by ${keys.join(', ')}) w
      ${hasCountries ? '' : peakOf(accountId, dayMs)}
      ${channelOf(accountId)}
     order by ${keys.map((key) => `w.${key}`).join(', ')}`,
  }
}

/** Milliseconds watched in the busiest minute. */
const peakOf = (accountId: string, dayMs: number): string => `
      left join (select linear_channel_id, distributor, max(ms) as ms
                   from (select linear_channel_id, distributor, minute_ms, sum(${watched}) as ms
                           from audience_minutes
                          where ${within('minute_ms', accountId, dayMs)}
                          group by linear_channel_id, distributor, minute_ms) m
                  group by linear_channel_id, distributor) peak
        on peak.linear_channel_id = w.linear_channel_id and peak.distributor = w.distributor`

/** The sums by method of a whole report, in the order cmcd_v2, cmcd_v1, heartbeat, separated by commas. */
export const methodSums = (condition: string, accountId: string, fromMs: number, toMs: number): string => `
    copy (select coalesce(sum(cmcd_v2_ms), 0), coalesce(sum(cmcd_v1_ms), 0), coalesce(sum(heartbeat_ms), 0)
            from audience_hours
           where account_id = '${accountId}' and hour_ms >= ${fromMs} and hour_ms < ${toMs} and ${condition})
      to stdout (format csv)`
