import { isId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { VideoNotFound } from './errors.ts'
import { lockVideo, type Video } from './video-store.ts'

/** Locks the video until the transaction ends. */
export async function requireVideoLocked(
  tx: Transaction,
  accountId: string,
  videoId: string,
): Promise<Video> {
  const video = isId(videoId) ? await lockVideo(tx, accountId, videoId) : undefined
  if (video === undefined) throw VideoNotFound()
  return video
}
