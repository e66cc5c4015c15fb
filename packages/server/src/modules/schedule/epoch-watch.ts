import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { StreamVersion } from '../../platform/feed/feed-contents.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import type { Logger } from '../../platform/log/logger.ts'
import {
  beginEpoch,
  type DatabaseState,
  listUnknown,
  noteCompared,
  orderEvents,
  readDatabaseState,
} from './feed-epoch-store.ts'

export interface EpochWatchOptions {
  readonly database: Pick<Database, 'platform'>
  readonly publisher: Pick<FeedPublisher, 'findMarker' | 'listLastVersions' | 'findVersion'>
  readonly clock: Clock
  readonly logger: Logger
}

/** Notices that the database was restored from a backup, and begins a new epoch then. */
export interface EpochWatch {
  /** The epoch to publish in. Where the database may have been restored, it is first compared with the stream. */
  look(): Promise<number>
  suspectRestore(): void
}

/** Channels compared in one statement, and events put in order in one. */
const PAGE = 1_000
const EVENTS = 10_000

export function createEpochWatch({ database, publisher, clock, logger }: EpochWatchOptions): EpochWatch {
  let suspicions = 1 // at the start, and one more whenever the stream is found ahead of the database
  let compared = 0 // the suspicions that a comparison has settled
  return {
    async look() {
      const state = await readDatabaseState(database.platform)
      if (state.isOrdering) await orderEvents(database.platform, EVENTS)
      const answering = suspicions
      if (state.comparedIdentity === state.identity && compared === answering) return state.epoch
      const reason = await findReason(state)
      const epoch = reason === undefined ? state.epoch : await begin(state.epoch, reason)
      await noteCompared(database.platform, { epoch, identity: state.identity })
      compared = answering
      return epoch
    },
    suspectRestore() {
      suspicions += 1
    },
  }

  /** Why what was published cannot be continued in this epoch; undefined where it can. */
  async function findReason(state: DatabaseState): Promise<EpochReason | undefined> {
    const marker = await publisher.findMarker()
    const versions = await publisher.listLastVersions()
    const lost = await findLost(versions)
    const above = Math.max(marker?.epoch ?? 0, lost?.epoch ?? 0)
    const fields = { channels: versions.length, epoch: state.epoch, published_epoch: above }
    logger.info(
      { ...fields, lost_channel_id: lost?.id.channelId ?? null },
      'compared the database with the stream of the feed',
    )
    if (lost !== undefined || above > state.epoch)
      return { above, text: 'the stream of the feed was ahead of the database' }
    const isOther = state.comparedIdentity !== null && state.comparedIdentity !== state.identity
    // What was published since a backup is unknown where the stream was lost too.
    if (isOther && marker === undefined)
      return { above, text: 'the database was restarted and the stream of the feed is gone' }
    return undefined
  }

  /** An update that was published, and that the database does not have. */
  async function findLost(versions: readonly StreamVersion[]): Promise<StreamVersion | undefined> {
    for (let at = 0; at < versions.length; at += PAGE) {
      for (const id of await listUnknown(database.platform, versions.slice(at, at + PAGE))) {
        // The version that was listed is not signed.
        const version = await publisher.findVersion(id)
        const verified = version && { id, ...version }
        if (verified && (await listUnknown(database.platform, [verified])).length > 0) return verified
      }
    }
    return undefined
  }

  async function begin(expected: number, { above, text: reason }: EpochReason): Promise<number> {
    const begun = await beginEpoch(database.platform, { expected, above, reason }, clock())
    if (begun !== undefined)
      logger.warn({ epoch: begun, before: expected }, `began a new epoch of the feed: ${reason}`)
    return begun ?? (await readDatabaseState(database.platform)).epoch
  }
}

interface EpochReason {
  /** The highest epoch that was published. */
  readonly above: number
  readonly text: string
}
