import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { RecordInUse } from '../../../platform/database/record-errors.ts'
import { countRecord } from '../records/record-totals.ts'
import { recordSeriesWrite } from '../records/record-write.ts'
import { requireSeriesLocked } from '../records/require-series.ts'
import { markSeriesDeleted, type Series } from '../records/series-store.ts'

/** Deletes a series without videos. `check` gets the locked series. */
export async function deleteSeries(
  tx: Transaction,
  actor: Actor,
  seriesId: string,
  check: (series: Series) => void,
): Promise<void> {
  const { accountId, nowMs } = actor
  const before = await requireSeriesLocked(tx, accountId, seriesId)
  check(before)
  if (before.videoCount > 0) {
    throw RecordInUse(`The series has ${before.videoCount} videos. Move or delete them first.`)
  }
  await markSeriesDeleted(tx, before, nowMs)
  await recordSeriesWrite(tx, actor, { before, after: null })
  await countRecord(tx, accountId, 'series', before, null)
}
