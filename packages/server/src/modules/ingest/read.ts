import { ticksOf } from '@continuity/core/time/ticks'
import type { Media } from '@continuity/core/timeline/media'
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
}

const mediaOf = ({ path, segmentMs, segmentCount, durationTicks }: ReadyPackage): Media => ({
  path,
  segmentTicks: ticksOf(segmentMs),
  segmentCount,
  durationTicks,
})
