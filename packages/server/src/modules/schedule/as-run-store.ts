import type { AsRunEntry } from '@continuity/core/as-run/as-run'
import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/database.ts'
import type { TimelineId } from './timeline-store.ts'

/** Lines of the record that nothing is added to any more. */
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
