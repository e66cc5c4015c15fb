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
import { findTimeline, listTimelines, type TimelineId } from './timeline-store.ts'

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
  /** The timeline of a channel may have to be brought in line with what was published. */
  requestRebase(id: TimelineId): void
  /** The database may have been restored: it is compared with what is published. */
  suspectRestore(): void
  stop(): Promise<void>
}

/** Nodes tell by it how old their feed is, and how far off their clocks are. */
const BEAT_MS = 1_000

/** Channels that are told anew at once, and read at once from the database. */
const AT_ONCE = 6
const PAGE = 1_000

/** Workers whose files of keys differ would otherwise publish everything again in turns, without a pause. */
const SIGN_AGAIN_MS = 600_000

/** Where the snapshot of a channel could not be published, it is tried again after this, and then after twice as long. */
const AGAIN_MS = 1_000
const AGAIN_MAXIMUM_MS = 60_000

/** Snapshots of all channels, in one stream and epoch, as far as they were published. */
interface Publication {
  readonly created: string
  readonly epoch: number
  readonly done: ReadonlySet<string>
  readonly againMs: number
  readonly pauseMs: number
}

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
  let isBehind = true // whether updates may wait that could not be published while NATS was gone
  let telling: Promise<void> | undefined // one at a time, beside the beats
  let signedMs = Number.NEGATIVE_INFINITY // when the feed was last published because of its key
  const rebases = new Map<string, TimelineId>() // filled by those who plan, emptied by the loop
  let unfinished: Publication | undefined // where the snapshots of some channels could not be published

  const publishMissing = async () => {
    const epoch = await watch.look()
    if (isBehind) {
      isBehind = false
      await publishWaiting(options, stopping.signal).catch((error: unknown) => {
        isBehind = true
        throw error
      })
    }
    const marker = await publisher.findMarker()
    const isOldKey = marker?.isCurrent === false && performance.now() - signedMs > SIGN_AGAIN_MS
    if (isOldKey) signedMs = performance.now()
    if (marker?.epoch !== epoch || isOldKey)
      unfinished = await publishAll(options, epoch, unfinished, stopping.signal)
    const ids = [...rebases.values()]
    rebases.clear()
    await forEach(options, ids, stopping.signal, (id) => rebaseAndPublish(options, id))
    await forEach(options, asks.take(performance.now()), stopping.signal, (id) =>
      publishSnapshot(options, id),
    )
  }
  // The clock throws while it is wrong.
  const sendHeartbeat = async () => publisher.beat(clock(), instance)
  const round = async () => {
    if (options.isPaused()) {
      isUp = false
      return
    }
    isUp = await sendHeartbeat().then(
      () => true,
      () => false,
    )
    // Kept until it is done: the feed may come back while the work of the round before still runs.
    if (!isUp) isBehind = true
    if (!isUp || telling !== undefined) return
    telling = publishMissing()
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
    requestRebase: (id) => rebases.size < PAGE && void rebases.set(id.channelId, id),
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
 * the next. Nodes drop what the marker's epoch does not hold, so it is not set while the snapshot of a channel failed;
 * returned is what was done then.
 */
async function publishAll(
  options: KeepFeedOptions,
  epoch: number,
  before: Publication | undefined,
  signal: AbortSignal,
): Promise<Publication | undefined> {
  const { database, publisher, logger } = options
  const created = await publisher.findStream()
  const isSame = before?.epoch === epoch && before.created === created
  if (isSame && performance.now() < before.againMs) return before
  const done = new Set(isSame ? before.done : [])
  let channels = 0
  for (let after: TimelineId | undefined, isMore = true; isMore; ) {
    const ids = await listTimelines(database.platform, after, PAGE)
    const left = ids.filter(({ channelId }) => !done.has(channelId))
    await forEach(options, left, signal, async (id) => {
      await rebaseAndPublish(options, id)
      done.add(id.channelId)
    })
    channels += ids.length
    after = ids.at(-1)
    isMore = ids.length === PAGE
  }
  signal.throwIfAborted()
  if (done.size < channels) {
    const failed = channels - done.size
    const pauseMs = isSame ? Math.min(2 * before.pauseMs, AGAIN_MAXIMUM_MS) : AGAIN_MS
    logger.error({ channels, failed, epoch }, `snapshots of channels failed, retrying in ${pauseMs / 1_000}s`)
    return { created, epoch, done, againMs: performance.now() + pauseMs, pauseMs }
  }
  await publisher.mark(created, epoch)
  logger.info({ channels, epoch }, 'published a snapshot of every channel')
  return undefined
}

async function rebaseAndPublish(options: KeepFeedOptions, id: TimelineId): Promise<void> {
  const { database, publisher, logger } = options
  const db = database.forAccount(id.accountId)
  const record = await findTimeline(db, id)
  if (record !== undefined && record.feedEpoch !== record.currentEpoch) {
    // Before the transaction: NATS may take its time, and nothing is published of the channel until it is rebased.
    const published = await publisher.readPublished(id)
    await db.transaction().execute((tx) => rebaseTimeline(tx, options, id, published))
    logger.info(
      { channel_id: id.channelId, is_known: published !== undefined },
      'rebased a restored timeline',
    )
  }
  await publishSnapshot(options, id)
}

const publishSnapshot = (options: KeepFeedOptions, id: TimelineId): Promise<void> =>
  publishWhole(options.database.forAccount(id.accountId), options, id)

/** A channel that fails holds up no other; a feed that is gone ends it. */
async function forEach(
  { publisher, logger }: KeepFeedOptions,
  ids: readonly TimelineId[],
  signal: AbortSignal,
  work: (id: TimelineId) => Promise<void>,
): Promise<void> {
  await forEachConcurrent(ids, AT_ONCE, async (id) => {
    signal.throwIfAborted()
    await work(id).catch((error: unknown) => {
      if (!publisher.isUp()) throw error
      logger.warn({ err: error, channel_id: id.channelId }, 'the feed of a channel was not published')
    })
  })
}
