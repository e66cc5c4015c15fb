import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isSame } from './is-same.ts'
import { type Playlist, type PlaylistFields, updatePlaylist } from './playlist-store.ts'
import { countRecord } from './record-totals.ts'
import { recordPlaylistWrite } from './record-write.ts'
import { requirePlaylistLocked } from './require-playlist.ts'

/**
 * Changes what is said of a playlist. `check` sees it as it is, under its lock.
 * Saying again what is said already is no change: the version stays.
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
