import {
  type FoundCues,
  hasBoundaries,
  listCuePoints,
  NOTHING_FOUND,
  usedCues,
} from '@continuity/core/media/video-cue-points'
import { msOf } from '@continuity/core/time/ticks'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { lockFormat } from '../accounts/index.ts'
import { type ApplyCuePoints, CuePointsUnsupported } from '../catalog/index.ts'
import { findNewestPackage, hasUnfinished, type NewestPackage, slateKindOf } from './asset-store.ts'
import { createAsset } from './create-asset.ts'
import { closeNotPackaged } from './cue-alert.ts'
import { mediaOf } from './read.ts'

/** See `ApplyCuePoints`. A video without a package is cut at its cue points when it is packaged. */
export const applyCuePoints: ApplyCuePoints = async (tx, actor, videoId, givenMs) => {
  const newest = await findNewestPackage(tx, actor.accountId, videoId)
  if (newest === undefined) return listCuePoints(givenMs, NOTHING_FOUND, undefined)
  if (slateKindOf(newest) !== undefined && givenMs !== null) throw CuePointsUnsupported()
  await closeNotPackaged(tx, actor, videoId)
  await packageAgain(tx, actor, newest, givenMs)
  return listCuePoints(givenMs, foundIn(newest), mediaOf(newest))
}

/**
 * Makes another asset of the file of a package, if that has no boundaries at the cue points of its video, which is locked.
 * While any file of the video is being made there is no need: at its end, cue points that were given meanwhile are noticed.
 */
export async function packageAgain(
  tx: Transaction,
  actor: Actor,
  newest: NewestPackage,
  givenMs: readonly number[] | null,
): Promise<void> {
  const { videoId, madeFrom, imageUrl, frameRate } = newest
  if (slateKindOf(newest) !== undefined) return
  if (hasBoundaries(mediaOf(newest), usedCues(givenMs, foundIn(newest)), frameRate)) return
  await lockFormat(tx, actor.accountId, actor.nowMs)
  if (await hasUnfinished(tx, actor.accountId, videoId)) return
  await createAsset(tx, actor, { videoId, madeFrom, imageUrl })
}

/** Earlier releases stored no chapters; the parts of their packages are those of chapters. */
export const foundIn = ({ found, cuts }: Pick<NewestPackage, 'found' | 'cuts'>): FoundCues =>
  found ?? { chaptersMs: (cuts ?? []).map(({ ticks }) => Math.round(msOf(ticks))), proposedMs: [] }
