import { isId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { lockNamedVideos } from '../records/named-video-store.ts'
import { lockNamedPlaylist } from '../records/playlist-store.ts'

/** For records that reference media: whether it exists; locks it against deletion until the transaction ends. */
export const namedMedia = {
  hasVideo: async (tx: Transaction, accountId: string, videoId: string): Promise<boolean> =>
    (await lockNamedVideos(tx, accountId, [videoId])).has(videoId),

  hasPlaylist: async (tx: Transaction, accountId: string, playlistId: string): Promise<boolean> =>
    isId(playlistId) && (await lockNamedPlaylist(tx, accountId, playlistId)),
}
