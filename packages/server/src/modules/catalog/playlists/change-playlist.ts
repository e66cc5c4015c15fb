import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { isSame } from '../records/is-same.ts'
import { type Playlist, type PlaylistFields, updatePlaylist } from '../records/playlist-store.ts'
import { countRecord } from '../records/record-totals.ts'
import { recordPlaylistWrite } from '../records/record-write.ts'
import { requirePlaylistLocked } from '../records/require-playlist.ts'

/**
 * Changes a playlist. `check` gets the locked playlist before the change. If no value
 * differs, the version stays.
 */
export async function changePlaylist(
  tx: Transaction,
  actor: Actor,
  playlistId: string,
  changes: Partial<PlaylistFields>,
  check: (playlist: Playlist) => void,
): Promise<Playlist> {
  const { accountId, nowMs } = actor
  const before = await requirePlaylistLocked(tx, accountId, playlistId, 'change')
  check(before)
  if (isSame(before, changes)) return before
  const after = await updatePlaylist(tx, before, changes, nowMs)
  await recordPlaylistWrite(tx, actor, { before, after })
  await countRecord(tx, accountId, 'playlist', before, after)
  return after
}
