import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { RecordInUse } from '../../platform/record-errors.ts'
import type { IsHeld } from './delete-video.ts'
import { markPlaylistDeleted, type Playlist } from './playlist-store.ts'
import { countRecord } from './record-totals.ts'
import { recordPlaylistWrite } from './record-write.ts'
import { requirePlaylistLocked } from './require-playlist.ts'

/**
 * Deletes a playlist that no channel has for a filler. `check` sees it as it
 * is, under its lock; channels are looked at under it too, because one that is
 * about to name the playlist waits for the lock, or is waited for.
 */
export async function deletePlaylist(
  tx: Transaction,
  actor: Actor,
  playlistId: string,
  check: (playlist: Playlist) => void,
  isHeld: IsHeld,
): Promise<void> {
  const { accountId, nowMs } = actor
  const before = await requirePlaylistLocked(tx, accountId, playlistId, 'delete')
  check(before)
  if (await isHeld(tx, actor, { playlistId })) {
    throw RecordInUse('A channel has this playlist for a filler.')
  }
  await markPlaylistDeleted(tx, before, nowMs)
  await recordPlaylistWrite(tx, actor, { before, after: null })
  await countRecord(tx, accountId, 'playlist', before, null)
}
