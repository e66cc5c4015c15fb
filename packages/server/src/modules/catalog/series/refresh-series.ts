import { actorOf } from '../../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../../platform/jobs/job-handler.ts'
import { findSeries } from '../records/series-store.ts'
import { listSeriesVideoIds, lockVideo } from '../records/video-store.ts'
import { indexVideo } from '../search-index/index-video.ts'

export type RefreshSeries = { readonly series_id: string }

const IDS_AT_ONCE = 500

/**
 * Indexes the videos of a series with its new title. Each is locked before the title
 * is read: a concurrent change of the video either precedes this and is indexed again,
 * or follows and reads the new title.
 */
export const refreshSeries: JobHandler<RefreshSeries> = async (run) => {
  const { db, data, signal } = run
  const actor = actorOf(run)
  const { accountId } = actor
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const ids = await listSeriesVideoIds(db, accountId, data.series_id, after, IDS_AT_ONCE)
    for (const id of ids) {
      signal.throwIfAborted()
      await db.transaction().execute(async (tx) => {
        const video = await lockVideo(tx, accountId, id)
        const series = await findSeries(tx, accountId, data.series_id, null)
        if (video === undefined || video.record.series_id !== data.series_id) return
        const { record } = video
        await indexVideo(tx, actor, { before: record, after: record, seriesTitle: series?.title ?? '' })
      })
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < IDS_AT_ONCE) return
    after = last
  }
}
