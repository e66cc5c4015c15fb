import type { Transaction } from '../../../platform/database/database.ts'
import { countOneLess, countOneMore } from './total-store.ts'
import type { VideoRecord } from './video-record.ts'

/** Updates the totals after a video was created, changed or deleted. Last in the transaction. */
export async function countVideo(
  tx: Transaction,
  accountId: string,
  before: VideoRecord | null,
  after: VideoRecord | null,
): Promise<void> {
  if (before === null) await countOneMore(tx, accountId, 'video')
  if (after === null) await countOneLess(tx, accountId, 'video')
  const [wasOpen, isOpen] = [isAlwaysVisible(before), isAlwaysVisible(after)]
  if (isOpen && !wasOpen) await countOneMore(tx, accountId, 'video_open')
  if (wasOpen && !isOpen) await countOneLess(tx, accountId, 'video_open')
}

/** Public at any time. */
const isAlwaysVisible = (video: VideoRecord | null) =>
  video !== null && video.status === 'READY' && video.date_available === null && video.date_expired === null
