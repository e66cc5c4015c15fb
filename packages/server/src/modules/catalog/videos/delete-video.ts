import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { RecordInUse } from '../../../platform/database/record-errors.ts'
import { leavePlaylists } from '../records/leave-playlists.ts'
import { recordVideoWrite } from '../records/record-write.ts'
import { requireVideoLocked } from '../records/require-video.ts'
import { markVideoDeleted, type Video } from '../records/video-store.ts'
import { countVideo } from '../records/video-totals.ts'
import { unindexVideo } from '../search-index/index-video.ts'
import { recount, requireNamedSeries } from '../series/series-membership.ts'

/** Whether a channel references a video or a playlist. */
export type IsReferenced = (
  tx: Transaction,
  actor: Pick<Actor, 'accountId' | 'nowMs'>,
  what: { readonly videoId: string } | { readonly playlistId: string },
) => Promise<boolean>

/** Called after a deletion: programs with the video have to fill its time. */
export type NoteVideoDeleted = (tx: Transaction, actor: Actor, videoId: string) => Promise<void>

/**
 * Deletes a video, and removes it from its playlists. Rejected while a channel uses it as a slate, or in a program of
 * the next 25 hours.
 */
export async function deleteVideo(
  tx: Transaction,
  actor: Actor,
  videoId: string,
  check: (video: Video) => void,
  isReferenced: IsReferenced,
): Promise<void> {
  const { accountId, nowMs } = actor
  const before = await requireVideoLocked(tx, accountId, videoId)
  check(before)
  if (await isReferenced(tx, actor, { videoId }))
    throw RecordInUse('A channel uses this video as a slate, or in a program of the next 25 hours.')
  await requireNamedSeries(tx, accountId, before.record.series_id)
  await markVideoDeleted(tx, before, nowMs)
  await leavePlaylists(tx, accountId, videoId, nowMs)
  await recordVideoWrite(tx, actor, { before, after: null })
  await recount(tx, accountId, before.record, null)
  await unindexVideo(tx, accountId, before.record)
  await countVideo(tx, accountId, before.record, null)
}
