import type { Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { VideoNotFound } from './errors.ts'
import { lockVideo, type Video } from './video-store.ts'

/** Nobody else changes it before the transaction ends. */
export async function requireVideoLocked(
  tx: Transaction,
  accountId: string,
  videoId: string,
): Promise<Video> {
  const video = isId(videoId) ? await lockVideo(tx, accountId, videoId) : undefined
  if (video === undefined) throw VideoNotFound()
  return video
}
