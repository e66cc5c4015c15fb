import { findCueFault, listCuePoints, NOTHING_FOUND } from '@continuity/core/media/video-cue-points'
import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { CuePointsInvalid } from '../records/errors.ts'
import { requireVideoLocked } from '../records/require-video.ts'
import type { VideoRecord } from '../records/video-record.ts'

type Cues = Pick<VideoRecord, 'cue_points_ms' | 'cue_points'>

/**
 * Returns the cue points of a video with these given ones, and has it packaged again if its package has no boundaries
 * there. The video is locked.
 */
export type ApplyCuePoints = (
  tx: Transaction,
  actor: Actor,
  videoId: string,
  givenMs: readonly number[] | null,
) => Promise<VideoRecord['cue_points']>

/** The changes of a video that is given cue points. `durationS` is its new length, if that changes too. */
export async function setCuePoints(
  tx: Transaction,
  actor: Actor,
  { videoId, timesMs, durationS }: CuePointsCommand,
  apply: ApplyCuePoints = withoutPackage,
): Promise<Cues> {
  const { record } = await requireVideoLocked(tx, actor.accountId, videoId)
  const cue_points_ms = requireCuePoints(timesMs, durationS ?? record.duration)
  return { cue_points_ms, cue_points: await apply(tx, actor, videoId, cue_points_ms) }
}

const withoutPackage: ApplyCuePoints = async (_tx, _actor, _videoId, givenMs) =>
  listCuePoints(givenMs, NOTHING_FOUND, undefined)

interface CuePointsCommand {
  readonly videoId: string
  readonly timesMs: readonly number[] | null
  readonly durationS: number | undefined
}

/** In order. */
export function requireCuePoints(
  timesMs: readonly number[] | null,
  durationS: number,
): readonly number[] | null {
  if (timesMs === null) return null
  const fault = findCueFault(timesMs, durationS * 1_000)
  if (fault !== undefined) throw CuePointsInvalid(fault.index, fault.message)
  return timesMs.toSorted((one, other) => one - other)
}
