import type { AudienceBatch, AudienceRow } from '@continuity/core/audience/audience-batch'
import { sql } from 'kysely'
import { type Db, executeCopy, type Transaction } from '../../platform/database/database.ts'

/** False if the batch was already added. Waits for a concurrent transaction that adds it. */
export async function insertBatch(
  tx: Transaction,
  { accountId, batchId, closedMs }: Pick<AudienceBatch, 'accountId' | 'batchId' | 'closedMs'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into audience_batches (account_id, batch_id, closed_ms)
    values (${accountId}, ${batchId}, ${closedMs})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** A row with the id of its video or live source. */
export interface ReferencedRow extends AudienceRow {
  readonly referenceId: string | null
}

/** Adds rows to the sums of their hours and minutes, sorted by key, so that concurrent transactions cannot deadlock. */
export async function addRows(
  tx: Transaction,
  accountId: string,
  rows: readonly ReferencedRow[],
): Promise<void> {
  await sql`
    create temporary table if not exists audience_staging (
      linear_channel_id uuid, distributor text collate "C", country text collate "C", minute_ms bigint,
      span_ticks bigint, type text collate "C", program_id text, component integer, reference_id text collate "C",
      cmcd_v2_ms bigint, cmcd_v1_ms bigint, heartbeat_ms bigint, starts bigint
    ) on commit delete rows`.execute(tx)
  await executeCopy(tx, sql`copy audience_staging from stdin`, copyText(rows))
  await sql`
    insert into audience_hours as sums (
      account_id, hour_ms, linear_channel_id, distributor, country, span_ticks, type, program_id, component, reference_id,
      cmcd_v2_ms, cmcd_v1_ms, heartbeat_ms, starts)
    select ${accountId}::uuid, minute_ms / 3600000 * 3600000, linear_channel_id, distributor, country, span_ticks, type,
           min(program_id), min(component), min(reference_id)::uuid, sum(cmcd_v2_ms), sum(cmcd_v1_ms), sum(heartbeat_ms), sum(starts)
      from audience_staging
     group by 2, 3, 4, 5, 6, 7
     order by 2, 3, 4, 5, 6, 7
    on conflict (account_id, hour_ms, linear_channel_id, distributor, country, span_ticks, type) do update set
      cmcd_v2_ms = sums.cmcd_v2_ms + excluded.cmcd_v2_ms,
      cmcd_v1_ms = sums.cmcd_v1_ms + excluded.cmcd_v1_ms,
      heartbeat_ms = sums.heartbeat_ms + excluded.heartbeat_ms,
      starts = sums.starts + excluded.starts`.execute(tx)
  await sql`
    insert into audience_minutes as sums (
      account_id, minute_ms, linear_channel_id, distributor, span_ticks, type, program_id, component, reference_id,
      cmcd_v2_ms, cmcd_v1_ms, heartbeat_ms, starts)
    select ${accountId}::uuid, minute_ms, linear_channel_id, distributor, span_ticks, type,
           min(program_id), min(component), min(reference_id)::uuid, sum(cmcd_v2_ms), sum(cmcd_v1_ms), sum(heartbeat_ms), sum(starts)
      from audience_staging
     group by 2, 3, 4, 5, 6
     order by 2, 3, 4, 5, 6
    on conflict (account_id, minute_ms, linear_channel_id, distributor, span_ticks, type) do update set
      cmcd_v2_ms = sums.cmcd_v2_ms + excluded.cmcd_v2_ms,
      cmcd_v1_ms = sums.cmcd_v1_ms + excluded.cmcd_v1_ms,
      heartbeat_ms = sums.heartbeat_ms + excluded.heartbeat_ms,
      starts = sums.starts + excluded.starts`.execute(tx)
}

/** Creates the partitions of a day, counted from 1970. */
export async function makeDay(db: Db, day: number): Promise<void> {
  await sql`select make_audience_day(${day})`.execute(db)
}

/** Drops up to `most` partitions before a day; returns how many. */
export async function dropDays(
  db: Db,
  table: 'audience_hours' | 'audience_minutes',
  beforeDay: number,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ readonly dropped: number }>`
    select drop_audience_days(${table}, ${beforeDay}, ${most}) as dropped`.execute(db)
  return rows[0]!.dropped
}

export async function deleteBatchIds(db: Db, beforeMs: number, most: number): Promise<number> {
  const { rows } = await sql<{ readonly deleted: number }>`
    select forget_audience_batches(${beforeMs}, ${most}) as deleted`.execute(db)
  return rows[0]!.deleted
}

/** Values contain no tab, line break or backslash: decoding a batch rejects them. */
function copyText(rows: readonly ReferencedRow[]): Buffer {
  const lines = rows.map(
    (row) =>
      `${row.channelId}\t${row.distributor}\t${row.country}\t${row.minuteMs}\t${row.spanTicks}\t${row.type}\t` +
      `${row.programId ?? '\\N'}\t${row.component}\t${row.referenceId ?? '\\N'}\t${row.cmcdV2Ms}\t${row.cmcdV1Ms}\t${row.heartbeatMs}\t${row.starts}\n`,
  )
  return Buffer.from(lines.join(''))
}

/** The time watched on a channel by a distributor's viewers in a minute. */
export interface MinuteRow {
  readonly channelId: string
  readonly distributor: string
  readonly cmcdV2Ms: number
  readonly cmcdV1Ms: number
  readonly heartbeatMs: number
}

/** An output whose viewers are counted in an earlier minute. */
export interface OutputBehind {
  readonly channelId: string
  readonly distributor: string
  readonly behindMs: number
}

/** For one channel, or for all. Outputs that are behind are read in their own minute. */
export async function listMinute(
  db: Db,
  accountId: string,
  minuteMs: number,
  channelId: string | null,
  behind: readonly OutputBehind[],
): Promise<readonly MinuteRow[]> {
  const minutes = [...new Set([0, ...behind.map(({ behindMs }) => behindMs)])].map((ms) => minuteMs - ms)
  const { rows } = await sql<MinuteRow>`
    select linear_channel_id as "channelId", distributor, sum(cmcd_v2_ms)::bigint as "cmcdV2Ms",
           sum(cmcd_v1_ms)::bigint as "cmcdV1Ms", sum(heartbeat_ms)::bigint as "heartbeatMs"
      from audience_minutes
      left join unnest(
        ${behind.map((output) => output.channelId)}::uuid[],
        ${behind.map(({ distributor }) => distributor)}::text[],
        ${behind.map(({ behindMs }) => behindMs)}::bigint[]
      ) as behind (linear_channel_id, distributor, behind_ms) using (linear_channel_id, distributor)
     where account_id = ${accountId} and minute_ms = any(${minutes}::bigint[])
       and minute_ms = ${minuteMs}::bigint - coalesce(behind_ms, 0)
       and (${channelId}::uuid is null or linear_channel_id = ${channelId}::uuid)
     group by linear_channel_id, distributor
    having sum(cmcd_v2_ms + cmcd_v1_ms + heartbeat_ms) > 0
     order by linear_channel_id, distributor`.execute(db)
  return rows
}
