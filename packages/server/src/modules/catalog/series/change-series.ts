import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { enqueue } from '../../../platform/jobs/all-jobs.ts'
import { isSame } from '../records/is-same.ts'
import { countRecord } from '../records/record-totals.ts'
import { recordSeriesWrite } from '../records/record-write.ts'
import { requireNamedBrand } from '../records/require-brand.ts'
import { requireSeriesLocked } from '../records/require-series.ts'
import { type Series, type SeriesFields, updateSeries } from '../records/series-store.ts'

/**
 * Changes a series. `check` gets the locked series before the change. If no value
 * differs, the version stays.
 */
export async function changeSeries(
  tx: Transaction,
  actor: Actor,
  seriesId: string,
  changes: Partial<SeriesFields>,
  check: (series: Series) => void,
): Promise<Series> {
  const { accountId, nowMs } = actor
  const before = await requireSeriesLocked(tx, accountId, seriesId)
  check(before)
  if (isSame(before, changes)) return before
  // Only for a new reference: the series keeps a brand that was deleted since.
  if (changes.brandId !== before.brandId) {
    await requireNamedBrand(tx, accountId, changes.brandId, 'brand_id')
  }
  const after = await updateSeries(tx, before, changes, nowMs)
  await recordSeriesWrite(tx, actor, { before, after })
  // The title is part of the search index of its videos.
  if (after.title !== before.title && after.videoCount > 0) {
    const requestId = actor.requestId ?? undefined
    await enqueue(tx, 'refresh_series', { series_id: seriesId }, { accountId, requestId, key: seriesId })
  }
  await countRecord(tx, accountId, 'series', before, after)
  return after
}
