import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { PlaylistNotFound } from './errors.ts'
import type { LockFor } from './lock-for.ts'
import { findPlaylist, lockPlaylist, type Playlist } from './playlist-store.ts'

/**
 * Text that cannot be an id, a deleted playlist and another account's are all
 * not there; so is one that the reader may not see.
 */
export async function requirePlaylist(
  db: Db,
  accountId: string,
  playlistId: string,
  shownMs: number | null,
): Promise<Playlist> {
  const playlist = isId(playlistId) ? await findPlaylist(db, accountId, playlistId, shownMs) : undefined
  if (playlist === undefined) throw PlaylistNotFound()
  return playlist
}

/** The same for who sees all, and nobody else changes it or its videos before the transaction ends. */
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
