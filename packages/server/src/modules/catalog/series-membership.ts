import type { Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { UnknownSeries } from './errors.ts'
import { countVideoIn, countVideoOut, lockSeries } from './series-store.ts'
import type { VideoRecord } from './video-record.ts'
import { hasOtherOfSeason } from './video-store.ts'

/** What a series counts of a video. */
type Member = Pick<VideoRecord, 'video_id' | 'series_id' | 'season_number'>

/**
 * Refuses a series that is not there. Nobody else counts in it, renames or
 * deletes it before the transaction ends. Gives its title, which its videos are
 * found by too.
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

/** Counts a video in the series that it is in now and out of the one that it was in; both are locked. */
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

/** Whether its season has no other video. A video without a season's number makes no season. */
async function isOnlyOne(
  tx: Transaction,
  accountId: string,
  { video_id, series_id, season_number }: Member,
): Promise<boolean> {
  if (series_id === null || season_number === null) return false
  return !(await hasOtherOfSeason(tx, accountId, series_id, season_number, video_id))
}
