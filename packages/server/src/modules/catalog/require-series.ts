import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { SeriesNotFound } from './errors.ts'
import { findSeries, lockSeries, type Series } from './series-store.ts'

/**
 * Text that cannot be an id, a deleted series and another account's are all not
 * there; so is one that the reader may not see.
 */
export async function requireSeries(
  db: Db,
  accountId: string,
  seriesId: string,
  shownMs: number | null,
): Promise<Series> {
  const series = isId(seriesId) ? await findSeries(db, accountId, seriesId, shownMs) : undefined
  if (series === undefined) throw SeriesNotFound()
  return series
}

/** The same for who sees all, and nobody else changes it or its counts before the transaction ends. */
export async function requireSeriesLocked(
  tx: Transaction,
  accountId: string,
  seriesId: string,
): Promise<Series> {
  const series = isId(seriesId) ? await lockSeries(tx, accountId, seriesId) : undefined
  if (series === undefined) throw SeriesNotFound()
  return series
}
