import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { RecordInUse } from '../../platform/record-errors.ts'
import { unindexVideo } from './index-video.ts'
import { leavePlaylists } from './leave-playlists.ts'
import { recordVideoWrite } from './record-write.ts'
import { requireVideoLocked } from './require-video.ts'
import { recount, requireNamedSeries } from './series-membership.ts'
import { markVideoDeleted, type Video } from './video-store.ts'
import { countVideo } from './video-totals.ts'

/** Whether a channel needs a video or a playlist as it is. */
export type IsHeld = (
  tx: Transaction,
  actor: Pick<Actor, 'accountId' | 'nowMs'>,
  what: { readonly videoId: string } | { readonly playlistId: string },
) => Promise<boolean>

/** Programs that show a deleted video have to fill its time. */
export type NoteVideoDeleted = (tx: Transaction, actor: Actor, videoId: string) => Promise<void>

/**
 * Deletes a video, and takes it out of its playlists. Rejected while a channel has it for a slate, or in a program of the
 * next 25 hours.
 */
export async function deleteVideo(
  tx: Transaction,
  actor: Actor,
  videoId: string,
  check: (video: Video) => void,
  isHeld: IsHeld,
): Promise<void> {
  const { accountId, nowMs } = actor
  const before = await requireVideoLocked(tx, accountId, videoId)
  check(before)
  if (await isHeld(tx, actor, { videoId }))
    throw RecordInUse('A channel has this video for a slate, or in a program of the next 25 hours.')
  await requireNamedSeries(tx, accountId, before.record.series_id)
  await markVideoDeleted(tx, before, nowMs)
  await leavePlaylists(tx, accountId, videoId, nowMs)
  await recordVideoWrite(tx, actor, { before, after: null })
  await recount(tx, accountId, before.record, null)
  await unindexVideo(tx, accountId, before.record)
  await countVideo(tx, accountId, before.record, null)
}
