import { decodeBatch } from '@continuity/core/audience/audience-batch'
import type { BatchAnswer } from '../../platform/bus/audience-bus.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { type Database, runTransaction } from '../../platform/database/database.ts'
import { isBroken } from '../../platform/database/database-errors.ts'
import { DAY_MS } from './audience-days.ts'
import type { References } from './references.ts'
import { addRows, insertBatch, makeDay } from './store.ts'

/** Older batches are rejected, because the ids of added batches are kept only five days longer. */
export const ACCEPTED_MS = 30 * DAY_MS

export interface AddDeps {
  readonly database: Database
  readonly clock: Clock
  readonly references: References
}

/** Adds a batch to the sums. Idempotent by the id of the batch. */
export async function addBatch({ database, clock, references }: AddDeps, line: string): Promise<BatchAnswer> {
  const batch = decodeBatch(line)
  if (batch === undefined || batch.closedMs < clock() - ACCEPTED_MS) return 'rejected'
  const { accountId } = batch
  const db = database.forAccount(accountId)
  const rows = await references.add(db, accountId, batch.rows)
  // A late batch may need the partition of a day that was not created ahead.
  for (const day of new Set(rows.map(({ minuteMs }) => Math.floor(minuteMs / DAY_MS)))) await makeDay(db, day)
  try {
    await runTransaction(db, async (tx) => {
      if (await insertBatch(tx, batch)) await addRows(tx, accountId, rows)
    })
    return 'applied'
  } catch (error) {
    if (isBroken(error, 'audience_batches_account_id_fkey')) return 'rejected'
    throw error
  }
}
