import { isId } from '../../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../../platform/database/database.ts'
import { PlaylistNotFound } from './errors.ts'
import type { LockFor } from './lock-for.ts'
import { findPlaylist, lockPlaylist, type Playlist } from './playlist-store.ts'

/**
 * Text that is not an id, a deleted playlist, another account's and one that the
 * reader may not see are all not found.
 */
export async function requirePlaylist(
  db: Db,
  accountId: string,
  playlistId: string,
  visibleAtMs: number | null,
): Promise<Playlist> {
  const playlist = isId(playlistId) ? await findPlaylist(db, accountId, playlistId, visibleAtMs) : undefined
  if (playlist === undefined) throw PlaylistNotFound()
  return playlist
}

/** Finds a playlist whatever its visibility, and locks it and its list of videos until the transaction ends. */
export async function requirePlaylistLocked(
  tx: Transaction,
  accountId: string,
  playlistId: string,
  lockFor: LockFor,
): Promise<Playlist> {
  const playlist = isId(playlistId) ? await lockPlaylist(tx, accountId, playlistId, lockFor) : undefined
  if (playlist === undefined) throw PlaylistNotFound()
  return playlist
}
