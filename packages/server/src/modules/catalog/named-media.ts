import type { Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { lockNamedVideos } from './named-video-store.ts'
import { lockNamedPlaylist } from './playlist-store.ts'

/** For whoever keeps a record that names media of the catalog: what is there stays until the transaction ends. */
export const namedMedia = {
  hasVideo: async (tx: Transaction, accountId: string, videoId: string): Promise<boolean> =>
    (await lockNamedVideos(tx, accountId, [videoId])).has(videoId),

  hasPlaylist: async (tx: Transaction, accountId: string, playlistId: string): Promise<boolean> =>
    isId(playlistId) && (await lockNamedPlaylist(tx, accountId, playlistId)),
}
