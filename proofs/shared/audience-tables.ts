import { readCounter } from './node-figures.ts'
import type { OnAirSystem, PlayoutNode } from './on-air-system.ts'
import type { Aired, Sums } from './request-log.ts'
import { until } from './until.ts'

type Stored = Pick<OnAirSystem, 'sql'>

/** What channels have aired, as far as the record goes, with the entries that may still grow. */
export const readAired = ({ sql }: Stored): Promise<readonly Aired[]> =>
  sql.query<Aired>(
    `select linear_channel_id as "channelId", start_ticks as "startTicks", end_ticks as "endTicks",
            program_id as "programId", component, type
       from as_run_entries
     union all
     select linear_channel_id, (open_entry->>'startTicks')::bigint, (open_entry->>'endTicks')::bigint,
            open_entry->'program'->>'id', (open_entry->>'component')::integer, open_entry->>'type'
       from timelines where open_entry is not null`,
  )

/** The sums by hour, and by minute, which have no countries. */
export const readHours = (stored: Stored): Promise<Sums> =>
  readSums(stored, 'audience_hours', 'hour_ms, linear_channel_id, distributor, country')
export const readMinutes = (stored: Stored): Promise<Sums> =>
  readSums(stored, 'audience_minutes', 'minute_ms, linear_channel_id, distributor')

interface CountedRow {
  readonly names: readonly unknown[]
  readonly v2: number
  readonly v1: number
  readonly heartbeat: number
  readonly starts: number
}

async function readSums({ sql }: Stored, table: string, columns: string): Promise<Sums> {
  const rows = await sql.query<CountedRow>(
    `select json_build_array(${columns}, coalesce(program_id, ''), component, type) as names,
            sum(cmcd_v2_ms)::bigint as v2, sum(cmcd_v1_ms)::bigint as v1, sum(heartbeat_ms)::bigint as heartbeat,
            sum(starts)::bigint as starts
       from ${table} group by ${columns}, program_id, component, type`,
  )
  const sums: Sums = new Map()
  for (const { names, v2, v1, heartbeat, starts } of rows) {
    for (const [what, amount] of Object.entries({ v2, v1, heartbeat, starts })) {
      if (amount > 0) sums.set([...names, what].join('|'), amount)
    }
  }
  return sums
}

/** Watched by both tables. */
export async function readWatchedMs({ sql }: Stored): Promise<number> {
  const [row] = await sql.query<{ ms: number }>(
    'select coalesce(sum(cmcd_v2_ms + cmcd_v1_ms + heartbeat_ms), 0)::bigint as ms from audience_hours',
  )
  return row!.ms
}

/** Rows whose span is not in an as-run entry of their component. */
export async function countStrayRows({ sql }: Stored): Promise<number> {
  const stray = await sql.query(
    `select from audience_hours h
      where not exists (
        select from as_run_entries e
         where e.account_id = h.account_id and e.linear_channel_id = h.linear_channel_id
           and e.start_ticks <= h.span_ticks and h.span_ticks < e.end_ticks and e.type = h.type
           and e.component = h.component and e.program_id is not distinct from h.program_id)
        and not exists (
        select from timelines t
         where t.account_id = h.account_id and t.linear_channel_id = h.linear_channel_id
           and (t.open_entry->>'startTicks')::bigint <= h.span_ticks)`,
  )
  return stray.length
}

type Nodes = readonly Pick<PlayoutNode, 'url'>[]

/** Waits until what was counted so far is on the disks of all nodes: a batch that is closed from now on contains it. */
export async function untilSpooled(nodes: Nodes): Promise<void> {
  for (const { url } of nodes) {
    const closed = () => readCounter(url(), 'audience_batches_closed_total')
    const before = await closed()
    await until('a node closes a batch', async () => (await closed()) >= before + 2)
  }
}

/** Waits until the database has all batches that nodes have on their disks. */
export async function untilSent(nodes: Nodes): Promise<void> {
  for (const { url } of nodes)
    await until(
      'a node sends its batches',
      async () => (await readCounter(url(), 'audience_spool_bytes')) === 0,
    )
}
