import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import type { Logger } from '../../platform/logger.ts'
import { beginEpoch, countUnknown, readDatabaseState } from './feed-epoch-store.ts'

export interface EpochWatchOptions {
  readonly database: Pick<Database, 'platform'>
  readonly publisher: Pick<FeedPublisher, 'findMarker' | 'listLastVersions'>
  readonly clock: Clock
  readonly logger: Logger
}

/** Notices that the database was restored from a backup, and begins a new epoch then. */
export interface EpochWatch {
  /** The epoch to publish in. Where the database may have been restored, it is first compared with the stream. */
  look(): Promise<number>
  suspectRestore(): void
  isCompared(identity: string): boolean
}

/** Channels compared in one statement. */
const PAGE = 1_000

export function createEpochWatch({ database, publisher, clock, logger }: EpochWatchOptions): EpochWatch {
  let compared: string | undefined // the identity of the database that was last compared
  return {
    async look() {
      const { epoch, identity } = await readDatabaseState(database.platform)
      if (compared === identity) return epoch
      const found = await compare(epoch)
      const next = found === undefined ? epoch : await begin(epoch, found)
      compared = identity
      return next
    },
    suspectRestore() {
      compared = undefined
    },
    isCompared: (identity) => identity === compared,
  }

  /** The highest epoch published, where the stream holds anything that the database does not know. */
  async function compare(epoch: number): Promise<number | undefined> {
    const marker = await publisher.findMarker()
    const versions = await publisher.listLastVersions()
    let unknown = 0
    for (let at = 0; at < versions.length; at += PAGE)
      unknown += await countUnknown(database.platform, versions.slice(at, at + PAGE))
    const highest = Math.max(marker?.epoch ?? 0, ...versions.map((it) => it.epoch))
    logger.info(
      { channels: versions.length, unknown, epoch },
      'compared the database with the stream of the feed',
    )
    return unknown > 0 || highest > epoch ? highest : undefined
  }

  async function begin(expected: number, above: number): Promise<number> {
    const reason = 'the stream of the feed was ahead of the database'
    const begun = await beginEpoch(database.platform, { expected, above, reason }, clock())
    if (begun !== undefined)
      logger.warn({ epoch: begun, before: expected }, `began a new epoch of the feed: ${reason}`)
    return begun ?? (await readDatabaseState(database.platform)).epoch
  }
}
