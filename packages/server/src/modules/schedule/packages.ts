import type { Media } from '@continuity/core/timeline/media'
import type { Db } from '../../platform/database/database.ts'

/** What a schedule must know of packaged media. Ingest keeps it, and the app hands it in. */
export interface PackageReader {
  /** Of the assets that are ready, by asset. */
  ofAssets(db: Db, accountId: string, assetIds: readonly string[]): Promise<ReadonlyMap<string, Media>>
  /** Of each video the newest asset that is ready, by video. */
  ofVideos(db: Db, accountId: string, videoIds: readonly string[]): Promise<ReadonlyMap<string, Media>>
  /** The same in segments of a slot, as what stands in for a live source; none of a slate that an earlier version made. */
  ofVideosInSlots(db: Db, accountId: string, videoIds: readonly string[]): Promise<ReadonlyMap<string, Media>>
}
