import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { listDueOf } from '../../platform/due/due-rows.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import { forEachConcurrent } from '../../platform/for-each-concurrent.ts'
import type { Logger } from '../../platform/logger.ts'
import { tellFaults } from '../../platform/told-faults.ts'
import { createAskQueue } from './ask-queue.ts'
import { createEpochWatch } from './epoch-watch.ts'
import type { PlanDeps } from './plan-channel.ts'
import { type PublishDeps, publishSteps, publishWhole } from './publish-feed.ts'
import { rebaseTimeline } from './rebase-timeline.ts'
import { listTimelines, type TimelineId } from './timeline-store.ts'

export interface KeepFeedOptions extends Omit<PublishDeps, 'isFeedUp'>, PlanDeps {
  readonly database: Database
  readonly publisher: FeedPublisher
  readonly logger: Logger
  /** Of this process, for its heartbeats. */
  readonly instance: string
  /** While it is so nothing is published, no heartbeat either. */
  readonly isPaused: () => boolean
}

export interface FeedKeeper {
  /** Whether the feed took the last beat. */
  isUp(): boolean
  /** Whether the database of that identity was compared with what is published, and is not a restored one. */
  isCompared(identity: string): boolean
  /** The database may have been restored: it is compared with what is published. */
  suspectRestore(): void
  stop(): Promise<void>
}

/** Nodes tell by it how old their feed is, and how far off their clocks are. */
const BEAT_MS = 1_000

/** Channels that are told anew at once, and read at once from the database. */
const AT_ONCE = 6
const PAGE = 1_000

/** Where the snapshot of a channel could not be published, all are published again after this. */
const INCOMPLETE_MS = 10_000

/**
 * Keeps the feed: a heartbeat each second, what could not be published as soon as NATS is back, a snapshot of every
 * channel where the stream was lost or the database restored, and of a single one for a node that requests it. Every
 * worker does it; doing it twice does no harm.
 */
export function keepFeed(given: Omit<KeepFeedOptions, 'onRestoreFound'>): FeedKeeper {
  const options: KeepFeedOptions = { ...given, onRestoreFound: () => watch.suspectRestore() }
  const { publisher, logger, clock, instance } = options
  const stopping = new AbortController()
  const tell = tellFaults(logger, 'the feed cannot be kept')
  const watch = createEpochWatch(options)
  const asks = createAskQueue<TimelineId>() // filled by nodes, emptied by the loop
  let isUp = false // written by the loop only
  let telling: Promise<void> | undefined // one at a time, beside the beats
  let incompleteMs = Number.NEGATIVE_INFINITY // when the feed was last published with a channel missing

  const publishMissing = async (wasUp: boolean) => {
    const epoch = await watch.look()
    if (!wasUp) await publishWaiting(options, stopping.signal)
    const marker = await publisher.findMarker()
    if (marker?.epoch !== epoch && performance.now() - incompleteMs > INCOMPLETE_MS) {
      const isComplete = await publishAll(options, epoch, stopping.signal)
      incompleteMs = isComplete ? Number.NEGATIVE_INFINITY : performance.now()
    }
    await forEach(options, asks.take(performance.now()), stopping.signal, (id) =>
      publishSnapshot(options, id),
    )
  }
  const round = async () => {
    if (options.isPaused()) {
      isUp = false
      return
    }
    const wasUp = isUp
    isUp = await publisher.beat(clock(), instance).then(
      () => true,
      () => false,
    )
    if (!isUp || telling !== undefined) return
    telling = publishMissing(wasUp)
      // That NATS is gone the bus tells, and everything goes on when it is back.
      .catch((error: unknown) => void (publisher.isUp() && tell(error)))
      .finally(() => (telling = undefined))
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await round()
      await setTimeout(BEAT_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await telling
  }
  const unhear = publisher.hearAsks((id) => asks.add(id, performance.now()))
  const ran = run()
  return {
    isUp: () => isUp,
    isCompared: watch.isCompared,
    suspectRestore: watch.suspectRestore,
    async stop() {
      stopping.abort()
      unhear()
      await ran
    },
  }
}

/** Steps that were left while NATS was gone. */
async function publishWaiting(options: KeepFeedOptions, signal: AbortSignal): Promise<void> {
  const { database } = options
  const rows = await listDueOf(database.platform, 'publish_feed', PAGE)
  const ids = rows.map(({ accountId, subjectId }) => ({ accountId: accountId!, channelId: subjectId }))
  await forEach(options, ids, signal, (id) => publishSteps(database.forAccount(id.accountId), options, id))
}

/**
 * A snapshot of every channel in the epoch, and then the completeness marker: a worker that dies in between leaves it to
 * the next. Nodes drop what the marker's epoch does not hold, so it is not set while the snapshot of a channel failed.
 */
async function publishAll(options: KeepFeedOptions, epoch: number, signal: AbortSignal): Promise<boolean> {
  const { database, publisher, logger } = options
  let [channels, failed] = [0, 0]
  for (let after: TimelineId | undefined, isMore = true; isMore; ) {
    const ids = await listTimelines(database.platform, after, PAGE)
    failed += await forEach(options, ids, signal, async (id) => {
      await rebase(options, id)
      await publishSnapshot(options, id)
    })
    channels += ids.length
    after = ids.at(-1)
    isMore = ids.length === PAGE
  }
  signal.throwIfAborted()
  if (failed > 0) {
    logger.error(
      { channels, failed, epoch },
      `snapshots of channels failed, retrying in ${INCOMPLETE_MS / 1_000}s`,
    )
    return false
  }
  await publisher.mark(epoch)
  logger.info({ channels, epoch }, 'published a snapshot of every channel')
  return true
}

async function rebase(options: KeepFeedOptions, id: TimelineId): Promise<void> {
  const { database, publisher, logger } = options
  const isRebased = await database
    .forAccount(id.accountId)
    .transaction()
    .execute((tx) => rebaseTimeline(tx, options, id, () => publisher.readPublished(id)))
  if (isRebased) logger.info({ channel_id: id.channelId }, 'rebased the timeline of a restored channel')
}

const publishSnapshot = (options: KeepFeedOptions, id: TimelineId): Promise<void> =>
  publishWhole(options.database.forAccount(id.accountId), options, id)

/** A channel that fails holds up no other and is counted; a feed that is gone ends it. */
async function forEach(
  { publisher, logger }: KeepFeedOptions,
  ids: readonly TimelineId[],
  signal: AbortSignal,
  work: (id: TimelineId) => Promise<void>,
): Promise<number> {
  let failed = 0
  await forEachConcurrent(ids, AT_ONCE, async (id) => {
    signal.throwIfAborted()
    await work(id).catch((error: unknown) => {
      if (!publisher.isUp()) throw error
      failed += 1
      logger.warn({ err: error, channel_id: id.channelId }, 'the feed of a channel was not published')
    })
  })
  return failed
}
