import type { Transaction } from '../../platform/database/database.ts'
import { countVideoOutOf, lockPlaylists } from './playlist-store.ts'
import { listPlaylistIds, removeVideo } from './playlist-video-store.ts'

/**
 * Takes a video out of the playlists that it is in. It is locked for deletion
 * already, so that none gets it meanwhile; one that loses it meanwhile is
 * waited for.
 */
export async function leavePlaylists(
  tx: Transaction,
  accountId: string,
  videoId: string,
  nowMs: number,
): Promise<void> {
  await lockPlaylists(tx, accountId, await listPlaylistIds(tx, accountId, videoId))
  const left = await removeVideo(tx, accountId, videoId)
  await countVideoOutOf(tx, accountId, left, nowMs)
}
