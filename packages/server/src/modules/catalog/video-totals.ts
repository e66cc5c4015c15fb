import type { Transaction } from '../../platform/database/database.ts'
import { countOneLess, countOneMore } from './total-store.ts'
import type { VideoRecord } from './video-record.ts'

/** Keeps the totals after a video came, changed or went. Last of all, as every count. */
export async function countVideo(
  tx: Transaction,
  accountId: string,
  before: VideoRecord | null,
  after: VideoRecord | null,
): Promise<void> {
  if (before === null) await countOneMore(tx, accountId, 'video')
  if (after === null) await countOneLess(tx, accountId, 'video')
  const [wasOpen, isOpen] = [isAlwaysShown(before), isAlwaysShown(after)]
  if (isOpen && !wasOpen) await countOneMore(tx, accountId, 'video_open')
  if (wasOpen && !isOpen) await countOneLess(tx, accountId, 'video_open')
}

/** Everybody may see it, at any time. */
const isAlwaysShown = (video: VideoRecord | null) =>
  video !== null && video.status === 'READY' && video.date_available === null && video.date_expired === null
