import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import { isSame } from './is-same.ts'
import { countRecord } from './record-totals.ts'
import { recordSeriesWrite } from './record-write.ts'
import { requireNamedBrand } from './require-brand.ts'
import { requireSeriesLocked } from './require-series.ts'
import { type Series, type SeriesFields, updateSeries } from './series-store.ts'

/**
 * Changes what is said of a series. `check` sees it as it is, under its lock.
 * Saying again what is said already is no change: the version stays.
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
  // Only where it changes: a brand that was deleted since stays where it is named.
  if (changes.brandId !== before.brandId) {
    await requireNamedBrand(tx, accountId, changes.brandId, 'brand_id')
  }
  const after = await updateSeries(tx, before, changes, nowMs)
  await recordSeriesWrite(tx, actor, { before, after })
  // Its videos are found by its title too.
  if (after.title !== before.title && after.videoCount > 0) {
    const requestId = actor.requestId ?? undefined
    await enqueue(tx, 'refresh_series', { series_id: seriesId }, { accountId, requestId, key: seriesId })
  }
  await countRecord(tx, accountId, 'series', before, after)
  return after
}
