import { isId } from '../../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../../platform/database/database.ts'
import { SeriesNotFound } from './errors.ts'
import { findSeries, lockSeries, type Series } from './series-store.ts'

/**
 * Text that is not an id, a deleted series, another account's and one that the reader
 * may not see are all not found.
 */
export async function requireSeries(
  db: Db,
  accountId: string,
  seriesId: string,
  visibleAtMs: number | null,
): Promise<Series> {
  const series = isId(seriesId) ? await findSeries(db, accountId, seriesId, visibleAtMs) : undefined
  if (series === undefined) throw SeriesNotFound()
  return series
}

/** Finds a series whatever its visibility, and locks it and its counts until the transaction ends. */
export async function requireSeriesLocked(
  tx: Transaction,
  accountId: string,
  seriesId: string,
): Promise<Series> {
  const series = isId(seriesId) ? await lockSeries(tx, accountId, seriesId) : undefined
  if (series === undefined) throw SeriesNotFound()
  return series
}
