import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { RecordInUse } from '../../../platform/database/record-errors.ts'
import { markPlaylistDeleted, type Playlist } from '../records/playlist-store.ts'
import { countRecord } from '../records/record-totals.ts'
import { recordPlaylistWrite } from '../records/record-write.ts'
import { requirePlaylistLocked } from '../records/require-playlist.ts'
import type { IsReferenced } from '../videos/delete-video.ts'

/**
 * Deletes a playlist that no channel uses as its filler. `check` gets the locked
 * playlist. Channels are checked under the lock too, because a write that references
 * the playlist also locks it.
 */
export async function deletePlaylist(
  tx: Transaction,
  actor: Actor,
  playlistId: string,
  check: (playlist: Playlist) => void,
  isReferenced: IsReferenced,
): Promise<void> {
  const { accountId, nowMs } = actor
  const before = await requirePlaylistLocked(tx, accountId, playlistId, 'delete')
  check(before)
  if (await isReferenced(tx, actor, { playlistId })) {
    throw RecordInUse('A channel uses this playlist as its filler.')
  }
  await markPlaylistDeleted(tx, before, nowMs)
  await recordPlaylistWrite(tx, actor, { before, after: null })
  await countRecord(tx, accountId, 'playlist', before, null)
}
