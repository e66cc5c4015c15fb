import type { AsRunEntry } from '@continuity/core/as-run/as-run'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { TimelineId } from './timeline-store.ts'

/** Inserts entries that are complete. */
export async function insertAsRun(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  entries: readonly AsRunEntry[],
): Promise<void> {
  const rows = entries.map((entry) => ({
    start_ticks: entry.startTicks,
    end_ticks: entry.endTicks,
    segments: entry.segments,
    program_id: entry.program?.id ?? null,
    program: entry.program,
    component: entry.component,
    type: entry.type,
    reference_id: entry.referenceId,
    title: entry.title,
    break_sequence: entry.breakSequence,
  }))
  await sql`
    insert into as_run_entries (account_id, linear_channel_id, start_ticks, end_ticks, segments, program_id, program,
                                component, type, reference_id, title, break_sequence)
    select ${accountId}::uuid, ${channelId}::uuid, start_ticks, end_ticks, segments, program_id, program,
           component, type, reference_id, title, break_sequence
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as entry(start_ticks bigint, end_ticks bigint, segments integer, program_id text, program jsonb,
                    component integer, type text, reference_id text, title text, break_sequence bigint)`.execute(
    tx,
  )
}

/** Where the program began that was on the air at a time; the time itself where none was. */
export async function findAiringStart(
  db: Db,
  { accountId, channelId }: TimelineId,
  ticks: number,
): Promise<number> {
  const { rows } = await sql<{ readonly start: number | null }>`
    with playing as (
      select start_ticks, program_id from as_run_entries
       where account_id = ${accountId} and linear_channel_id = ${channelId} and start_ticks <= ${ticks}
       order by start_ticks desc limit 1
    )
    select case when program_id is null then start_ticks else
             (select min(start_ticks) from as_run_entries
               where account_id = ${accountId} and linear_channel_id = ${channelId}
                 and start_ticks <= playing.start_ticks
                 and start_ticks > coalesce((select max(start_ticks) from as_run_entries
                                              where account_id = ${accountId} and linear_channel_id = ${channelId}
                                                and start_ticks < playing.start_ticks
                                                and program_id is distinct from playing.program_id), 0)) end as start
      from playing`.execute(db)
  return rows[0]?.start ?? ticks
}

/** A page of the record: entries that begin between two times, without the first. */
export async function listAsRun(
  db: Db,
  { accountId, channelId }: TimelineId,
  afterTicks: number,
  beforeTicks: number,
  most: number,
): Promise<readonly AsRunEntry[]> {
  const { rows } = await sql<AsRunEntry>`
    select start_ticks as "startTicks", end_ticks as "endTicks", segments, program, component, type,
           reference_id as "referenceId", title, break_sequence as "breakSequence"
      from as_run_entries
     where account_id = ${accountId} and linear_channel_id = ${channelId}
       and start_ticks > ${afterTicks} and start_ticks < ${beforeTicks}
     order by start_ticks
     limit ${most}`.execute(db)
  return rows
}

/** Creates up to `most` missing partitions of the months up to one, counted from 1970; returns how many. */
export async function makeAsRunMonths(db: Db, throughMonth: number, most: number): Promise<number> {
  const { rows } = await sql<{ readonly made: number }>`
    select make_as_run_months(${throughMonth}, ${most}) as made`.execute(db)
  return rows[0]!.made
}
