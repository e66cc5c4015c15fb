import { decodeBatch } from '@continuity/core/audience/audience-batch'
import type { BatchAnswer } from '../../platform/audience-bus.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { type Database, runTransaction } from '../../platform/database/database.ts'
import { isBroken } from '../../platform/database/database-errors.ts'
import { DAY_MS } from './audience-days.ts'
import type { References } from './references.ts'
import { addRows, insertBatch, makeDay } from './store.ts'

/** Older batches are rejected: the ids of those that were added are kept for five days longer, and then deleted. */
export const ACCEPTED_MS = 30 * DAY_MS

export interface AddDeps {
  readonly database: Database
  readonly clock: Clock
  readonly references: References
}

/** Adds a batch to the sums, once, however often it is sent. */
export async function addBatch({ database, clock, references }: AddDeps, line: string): Promise<BatchAnswer> {
  const batch = decodeBatch(line)
  if (batch === undefined || batch.closedMs < clock() - ACCEPTED_MS) return 'rejected'
  const { accountId } = batch
  const db = database.forAccount(accountId)
  const rows = await references.add(db, accountId, batch.rows)
  // Of a late batch it may be another day than those that were made ahead.
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
