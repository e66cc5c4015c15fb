import { isId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { UnknownSeries } from '../records/errors.ts'
import { countVideoIn, countVideoOut, lockSeries } from '../records/series-store.ts'
import type { VideoRecord } from '../records/video-record.ts'
import { hasOtherOfSeason } from '../records/video-store.ts'

/** The fields of a video that a series counts. */
type Member = Pick<VideoRecord, 'video_id' | 'series_id' | 'season_number'>

/**
 * Throws if the series does not exist, and locks it until the transaction ends.
 * Returns its title, which is part of the search index of its videos.
 */
export async function requireNamedSeries(
  tx: Transaction,
  accountId: string,
  seriesId: string | null,
): Promise<string> {
  if (seriesId === null) return ''
  const series = isId(seriesId) ? await lockSeries(tx, accountId, seriesId) : undefined
  if (series === undefined) throw UnknownSeries('series_id')
  return series.title
}

/** Counts a video out of its old series and into its new one; both must be locked. */
export async function recount(
  tx: Transaction,
  accountId: string,
  before: Member | null,
  after: Member | null,
): Promise<void> {
  if (before?.series_id === after?.series_id && before?.season_number === after?.season_number) return
  if (before !== null && before.series_id !== null) {
    await countVideoOut(tx, accountId, before.series_id, await isOnlyOne(tx, accountId, before))
  }
  if (after !== null && after.series_id !== null) {
    await countVideoIn(tx, accountId, after.series_id, await isOnlyOne(tx, accountId, after))
  }
}

/** Whether its season has no other video. A video without a season number counts for no season. */
async function isOnlyOne(
  tx: Transaction,
  accountId: string,
  { video_id, series_id, season_number }: Member,
): Promise<boolean> {
  if (series_id === null || season_number === null) return false
  return !(await hasOtherOfSeason(tx, accountId, series_id, season_number, video_id))
}
