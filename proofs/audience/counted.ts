import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import { PATIENCE_MS } from '../on-air/channels.ts'
import { readCounter } from '../on-air/node-figures.ts'
import type { OnAirSystem } from '../on-air/on-air-system.ts'
import type { Aired, Sums } from './request-log.ts'
import type { NodeAt } from './viewers.ts'

type Stored = Pick<OnAirSystem, 'database'>

/** What channels have aired, as far as the record goes, with the entries that may still grow. */
export async function readAired({ database }: Stored): Promise<Aired[]> {
  const { rows } = await sql<Aired>`
    select linear_channel_id as "channelId", start_ticks as "startTicks", end_ticks as "endTicks",
           program_id as "programId", component, type
      from as_run_entries
    union all
    select linear_channel_id, (open_entry->>'startTicks')::bigint, (open_entry->>'endTicks')::bigint,
           open_entry->'program'->>'id', (open_entry->>'component')::integer, open_entry->>'type'
      from timelines where open_entry is not null`.execute(database.platform)
  return rows
}

interface CountedRow {
  readonly names: readonly unknown[]
  readonly v2: number
  readonly v1: number
  readonly heartbeat: number
  readonly starts: number
}

export const readHours = async ({ database }: Stored): Promise<Sums> =>
  sumsOf(
    (
      await sql<CountedRow>`
        select json_build_array(hour_ms, linear_channel_id, distributor, country, coalesce(program_id, ''), component, type) as names,
               sum(cmcd_v2_ms)::bigint as v2, sum(cmcd_v1_ms)::bigint as v1, sum(heartbeat_ms)::bigint as heartbeat,
               sum(starts)::bigint as starts
          from audience_hours
         group by hour_ms, linear_channel_id, distributor, country, program_id, component, type`.execute(
        database.platform,
      )
    ).rows,
  )

export const readMinutes = async ({ database }: Stored): Promise<Sums> =>
  sumsOf(
    (
      await sql<CountedRow>`
        select json_build_array(minute_ms, linear_channel_id, distributor, coalesce(program_id, ''), component, type) as names,
               sum(cmcd_v2_ms)::bigint as v2, sum(cmcd_v1_ms)::bigint as v1, sum(heartbeat_ms)::bigint as heartbeat,
               sum(starts)::bigint as starts
          from audience_minutes
         group by minute_ms, linear_channel_id, distributor, program_id, component, type`.execute(
        database.platform,
      )
    ).rows,
  )

function sumsOf(rows: readonly CountedRow[]): Sums {
  const sums: Sums = new Map()
  for (const { names, v2, v1, heartbeat, starts } of rows) {
    for (const [what, amount] of Object.entries({ v2, v1, heartbeat, starts })) {
      if (amount > 0) sums.set([...names, what].join('|'), amount)
    }
  }
  return sums
}

/** Watched by both tables. */
export async function readWatchedMs({ database }: Stored): Promise<number> {
  const { rows } = await sql<{ readonly ms: number }>`
    select coalesce(sum(cmcd_v2_ms + cmcd_v1_ms + heartbeat_ms), 0)::bigint as ms from audience_hours`.execute(
    database.platform,
  )
  return rows[0]!.ms
}

/** Rows whose span is not in an as-run entry of their component. */
export async function countStrayRows({ database }: Stored): Promise<number> {
  const { rows } = await sql<{ readonly stray: number }>`
    select count(*) as stray from audience_hours h
     where not exists (
       select from as_run_entries e
        where e.account_id = h.account_id and e.linear_channel_id = h.linear_channel_id
          and e.start_ticks <= h.span_ticks and h.span_ticks < e.end_ticks and e.type = h.type
          and e.component = h.component and e.program_id is not distinct from h.program_id)
       and not exists (
       select from timelines t
        where t.account_id = h.account_id and t.linear_channel_id = h.linear_channel_id
          and (t.open_entry->>'startTicks')::bigint <= h.span_ticks)`.execute(database.platform)
  return rows[0]!.stray
}

/** Waits until what was counted so far is on the disks of all nodes: a batch that is closed from now on contains it. */
export async function untilSpooled(nodes: readonly Pick<NodeAt, 'url'>[]): Promise<void> {
  for (const { url } of nodes) {
    const closed = () => readCounter(url(), 'audience_batches_closed_total')
    const before = await closed()
    const isClosed = async () => (await closed()) >= before + 2 || undefined
    if (!(await pollUntil(isClosed, PATIENCE_MS))) throw new Error('a node closes no batch')
  }
}

/** Waits until the database has all batches that nodes have on their disks. */
export async function untilSent(nodes: readonly Pick<NodeAt, 'url'>[]): Promise<void> {
  for (const { url } of nodes) {
    const isSent = async () => (await readCounter(url(), 'audience_spool_bytes')) === 0 || undefined
    if (!(await pollUntil(isSent, PATIENCE_MS))) throw new Error('a node does not send its batches')
  }
}
