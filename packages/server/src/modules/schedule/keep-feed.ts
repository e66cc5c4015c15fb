import { setTimeout } from 'node:timers/promises'
import { forEachConcurrent } from '../../platform/concurrency/for-each-concurrent.ts'
import type { Database } from '../../platform/database/database.ts'
import { listDueOf } from '../../platform/due/due-rows.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import { createFaultLog } from '../../platform/log/fault-log.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { createEpochWatch } from './epoch-watch.ts'
import type { PlanDeps } from './plan-channel.ts'
import { type PublishDeps, publishSnapshot, publishUpdates } from './publish-feed.ts'
import { rebaseTimeline } from './rebase-timeline.ts'
import { createRequestQueue } from './request-queue.ts'
import { findTimeline, listTimelines, type TimelineId } from './timeline-store.ts'

export interface KeepFeedOptions extends PublishDeps, PlanDeps {
  readonly database: Database
  readonly publisher: FeedPublisher
  readonly logger: Logger
  /** Of this process, for its heartbeats. */
  readonly instance: string
  /** While it returns true nothing is published, no heartbeat either. */
  readonly isPaused: () => boolean
}

export interface FeedKeeper {
  /** Whether the feed accepted the last heartbeat. */
  isUp(): boolean
  /** The timeline of a channel may have to be brought in line with what was published. */
  requestRebase(id: TimelineId): void
  /** The database may have been restored: it is compared with what is published. */
  suspectRestore(): void
  stop(): Promise<void>
}

/** Nodes derive from it how old their feed is, and how far off their clocks are. */
const HEARTBEAT_MS = 1_000

/** Channels that are published concurrently, and read at once from the database. */
const AT_ONCE = 6
const PAGE = 1_000

/** Workers whose key files differ would otherwise keep publishing everything again, without a pause. */
const SIGN_AGAIN_MS = 600_000

/** The snapshot of a channel that could not be published is retried after this, and then after twice as long. */
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
 * Keeps the feed complete. It publishes a heartbeat each second, pending updates as soon as NATS is back, a snapshot of
 * every channel where the stream was lost or the database restored, and of a single one for a node that requests it. Every
 * worker does it; doing it twice is harmless.
 */
export function keepFeed(given: Omit<KeepFeedOptions, 'onRestoreFound'>): FeedKeeper {
  const options: KeepFeedOptions = { ...given, onRestoreFound: () => watch.suspectRestore() }
  const { publisher, logger, clock, instance } = options
  const stopping = new AbortController()
  const logFault = createFaultLog(logger, 'feed maintenance failed')
  const watch = createEpochWatch(options)
  const requests = createRequestQueue<TimelineId>() // filled by nodes, emptied by the loop
  let isUp = false // written by the loop only
  let isBehind = true // whether updates may be pending that could not be published while NATS was gone
  let publishing: Promise<void> | undefined // one at a time, beside the heartbeats
  let signedMs = Number.NEGATIVE_INFINITY // when the feed was last published because of its key
  const rebases = new Map<string, TimelineId>() // filled by planners, emptied by the loop
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
    await forEach(options, requests.take(performance.now()), stopping.signal, (id) =>
      publishSnapshotOf(options, id),
    )
  }
  // The clock throws while it is wrong.
  const sendHeartbeat = async () => publisher.publishHeartbeat(clock(), instance)
  const round = async () => {
    if (options.isPaused()) {
      isUp = false
      return
    }
    isUp = await sendHeartbeat().then(
      () => true,
      () => false,
    )
    // Kept until it is done: the feed may come back while the work of the previous round still runs.
    if (!isUp) isBehind = true
    if (!isUp || publishing !== undefined) return
    publishing = publishMissing()
      // The bus logs that NATS is gone, and everything continues when it is back.
      .catch((error: unknown) => void (publisher.isUp() && logFault(error)))
      .finally(() => (publishing = undefined))
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await round()
      await setTimeout(HEARTBEAT_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await publishing
  }
  const unsubscribe = publisher.onSnapshotRequest((id) => requests.add(id, performance.now()))
  const ran = run()
  return {
    isUp: () => isUp,
    requestRebase: (id) => rebases.size < PAGE && void rebases.set(id.channelId, id),
    suspectRestore: watch.suspectRestore,
    async stop() {
      stopping.abort()
      unsubscribe()
      await ran
    },
  }
}

/** Publishes updates that are pending since NATS was gone. */
async function publishWaiting(options: KeepFeedOptions, signal: AbortSignal): Promise<void> {
  const { database } = options
  const rows = await listDueOf(database.platform, 'publish_feed', PAGE)
  const ids = rows.map(({ accountId, subjectId }) => ({ accountId: accountId!, channelId: subjectId }))
  await forEach(options, ids, signal, (id) => publishUpdates(database.forAccount(id.accountId), options, id))
}

/**
 * Publishes a snapshot of every channel in the epoch, and then the completeness marker: where a worker crashes in between,
 * the next one does it. Nodes drop channels that the marker's epoch does not contain, so the marker is not set while the
 * snapshot of a channel failed; then the progress is returned.
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
  await publisher.publishMarker(created, epoch)
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
  await publishSnapshotOf(options, id)
}

const publishSnapshotOf = (options: KeepFeedOptions, id: TimelineId): Promise<void> =>
  publishSnapshot(options.database.forAccount(id.accountId), options, id)

/** A channel that fails does not stop the others; a feed that is gone does. */
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
      logger.warn({ err: error, channel_id: id.channelId }, 'feed of a channel not published')
    })
  })
}
