import { SLOTS_FOLDER } from '@continuity/core/packaging/segment-index'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Media } from '@continuity/core/timeline/media'
import type { Db } from '../../platform/database/database.ts'
import type { PackageReader } from '../schedule/index.ts'
import { listNewestPackages, listPackages, type ReadyPackage } from './asset-store.ts'

/** Packaged media as schedules need it. */
export const packageReader: PackageReader = {
  async ofAssets(db, accountId, assetIds) {
    if (assetIds.length === 0) return new Map()
    const found = await listPackages(db, accountId, assetIds)
    return new Map(found.map((it) => [it.assetId, mediaOf(it)]))
  },
  async ofVideos(db, accountId, videoIds) {
    if (videoIds.length === 0) return new Map()
    const found = await listNewestPackages(db, accountId, videoIds)
    return new Map(found.map((it) => [it.videoId, mediaOf(it)]))
  },
  async ofVideosInSlots(db, accountId, videoIds) {
    if (videoIds.length === 0) return new Map()
    const found = await listNewestPackages(db, accountId, videoIds)
    return new Map(found.flatMap((it) => (inSlots(it) === undefined ? [] : [[it.videoId, inSlots(it)!]])))
  },
}

/** A package in segments of a slot: that of a slate is one more, and any other is cut so already. */
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

const mediaOf = ({ path, segmentMs, segmentCount, durationTicks }: ReadyPackage): Media => ({
  path,
  segmentTicks: ticksOf(segmentMs),
  segmentCount,
  durationTicks,
})

/** A video in segments of a slot, as what stands in for the picture of a live source. */
export async function findInSlots(db: Db, accountId: string, videoId: string): Promise<Media | undefined> {
  return (await packageReader.ofVideosInSlots(db, accountId, [videoId])).get(videoId)
}
