import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import type { Reason } from './asset-store.ts'

const subjectOf = (videoId: string) => ({
  code: 'cue_points.not_packaged' as const,
  subjectType: 'video',
  subjectId: videoId,
})

/** The file of a video could not be packaged again with its cue points. */
export const alertNotPackaged = (
  tx: Transaction,
  actor: Actor,
  { videoId, title }: { readonly videoId: string; readonly title: string },
  { code, message }: Reason,
): Promise<void> =>
  openAlert(tx, actor, {
    ...subjectOf(videoId),
    severity: 'WARNING',
    message: `The video "${title}" could not be packaged with its new cue points (${code}): ${message} Its former package is still used, and breaks cut at its nearest boundaries.`,
  })

/** It was packaged, is given other cue points, or is deleted. */
export const closeNotPackaged = (tx: Transaction, actor: Actor, videoId: string): Promise<void> =>
  closeAlert(tx, actor, subjectOf(videoId))
