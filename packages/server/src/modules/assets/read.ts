import type { Media } from '@continuity/core/media/media'
import { SLOTS_FOLDER } from '@continuity/core/media/segment-index'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Db } from '../../platform/database/database.ts'
import { listNewestPackages, listPackages, type ReadyPackage } from './asset-store.ts'

/** Media of the assets that are ready, by asset. */
export async function mediaOfAssets(
  db: Db,
  accountId: string,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, Media>> {
  if (assetIds.length === 0) return new Map()
  const found = await listPackages(db, accountId, assetIds)
  return new Map(found.map((it) => [it.assetId, mediaOf(it)]))
}

/** Media of each video's newest asset that is ready, by video. */
export async function mediaOfVideos(
  db: Db,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, Media>> {
  if (videoIds.length === 0) return new Map()
  const found = await listNewestPackages(db, accountId, videoIds)
  return new Map(found.map((it) => [it.videoId, mediaOf(it)]))
}

/** The newest asset of each video that is ready, by video. */
export async function newestAssets(
  db: Db,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<ReadyPackage, 'assetId' | 'durationTicks'>>> {
  if (videoIds.length === 0) return new Map()
  const found = await listNewestPackages(db, accountId, videoIds)
  return new Map(found.map((it) => [it.videoId, it]))
}

/** The same in segments of one slot, as fill for a live source; none of a slate that an earlier version made. */
export async function slotMediaOfVideos(
  db: Db,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, Media>> {
  if (videoIds.length === 0) return new Map()
  const found = await listNewestPackages(db, accountId, videoIds)
  return new Map(found.flatMap((it) => (inSlots(it) === undefined ? [] : [[it.videoId, inSlots(it)!]])))
}

/** A slate is packaged a second time in segments of one slot; other packages have them already. */
function inSlots(it: ReadyPackage): Media | undefined {
  if (it.segmentMs === it.slotMs) return mediaOf(it)
  const { hasSlots, durationTicks, path } = it
  const segmentTicks = ticksOf(it.slotMs)
  if (!hasSlots) return undefined
  return {
    path: `${path}/${SLOTS_FOLDER}`,
    segmentTicks,
    segmentCount: durationTicks / segmentTicks,
    durationTicks,
  }
}

export const mediaOf = ({ path, segmentMs, segmentCount, durationTicks, cuts }: ReadyPackage): Media => ({
  path,
  segmentTicks: ticksOf(segmentMs),
  segmentCount,
  durationTicks,
  ...(cuts === null ? {} : { cuts }),
})

/** A video in segments of one slot, as fill for a live source. */
export async function findSlotMedia(db: Db, accountId: string, videoId: string): Promise<Media | undefined> {
  return (await slotMediaOfVideos(db, accountId, [videoId])).get(videoId)
}
