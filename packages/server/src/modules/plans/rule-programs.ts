import { isInterstitialType } from '@continuity/core/ingest/interstitial'
import type { PlannedItem, PlannedProgram } from '@continuity/core/rules/plan-input'
import { msOf } from '@continuity/core/time/ticks'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newestAssets } from '../assets/read.ts'
import { lockScheduledVideos, type ScheduledVideo } from '../catalog/index.ts'
import { type Episode, listEpisodes } from '../catalog/read.ts'
import { programDetails } from '../programs/index.ts'
import type { ItemRecord, RuleProgram } from '../schedule/index.ts'

type Assets = Awaited<ReturnType<typeof newestAssets>>

/**
 * Planned programs as the schedule stores them. Their videos cannot be deleted before the transaction ends; programs of
 * those that were deleted since the plan was made are lost.
 */
export async function toRulePrograms(
  tx: Transaction,
  accountId: string,
  programs: readonly PlannedProgram[],
  nowMs: number,
): Promise<{ readonly planned: readonly RuleProgram[]; readonly lost: number }> {
  const ids = [
    ...new Set(programs.flatMap(({ items }) => items.flatMap((it) => ('video_id' in it ? it.video_id : [])))),
  ]
  const videos = await lockScheduledVideos(tx, accountId, ids)
  const assets = await newestAssets(tx, accountId, ids)
  const episodes = await listEpisodes(tx, accountId, ids)
  const isPlayable = (it: PlannedItem) =>
    !('video_id' in it) || (videos.has(it.video_id) && assets.has(it.video_id))
  const playable = programs.filter(({ items }) => items.every(isPlayable))
  const planned = playable.map((program) => toRuleProgram(program, { videos, assets, episodes }, nowMs))
  return { planned, lost: programs.length - playable.length }
}

function toRuleProgram(
  { start_ms, end_ms, title, rule, reason, video_id, items, basis }: PlannedProgram,
  {
    videos,
    assets,
    episodes,
  }: {
    readonly videos: ReadonlyMap<string, ScheduledVideo>
    readonly assets: Assets
    readonly episodes: ReadonlyMap<string, Episode>
  },
  nowMs: number,
): RuleProgram {
  return {
    programId: newId(nowMs),
    title,
    description: '',
    startMs: start_ms,
    endMs: end_ms,
    details: programDetails(videos.get(video_id)!, episodes.get(video_id)),
    rule: { id: rule, reason, video_id, basis },
    items: items.map((item) => toItem(item, videos, assets)),
  }
}

function toItem(item: PlannedItem, videos: ReadonlyMap<string, ScheduledVideo>, assets: Assets): ItemRecord {
  if (!('video_id' in item))
    return { type: 'AD_POD', declaredMs: item.duration * 1_000, title: '', videoId: null, assetId: null }
  const { video_id: videoId, in_ms: inMs = null, out_ms: outMs = null } = item
  const { content_type, title } = videos.get(videoId)!
  const { assetId, durationTicks } = assets.get(videoId)!
  return {
    type: isInterstitialType(content_type) ? 'INTERSTITIAL' : 'VIDEO',
    declaredMs: (outMs ?? Math.ceil(msOf(durationTicks))) - (inMs ?? 0),
    title,
    videoId,
    assetId,
    inMs,
    outMs,
  }
}
