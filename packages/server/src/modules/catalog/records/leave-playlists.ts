import type { Transaction } from '../../../platform/database/database.ts'
import { countVideoOutOf, lockPlaylists } from './playlist-store.ts'
import { listPlaylistIds, removeVideo } from './playlist-video-store.ts'

/**
 * Removes a video from its playlists. The video must be locked for deletion, so that
 * no playlist gets it meanwhile.
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
