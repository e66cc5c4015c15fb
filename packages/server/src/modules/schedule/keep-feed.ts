import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { listDueOf } from '../../platform/due/due-rows.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import { inTurn } from '../../platform/in-turn.ts'
import type { Logger } from '../../platform/logger.ts'
import { tellFaults } from '../../platform/told-faults.ts'
import { type PublishDeps, publishSteps, publishWhole } from './publish-feed.ts'
import { listTimelines, type TimelineId } from './timeline-store.ts'

export interface KeepFeedOptions extends Omit<PublishDeps, 'isFeedUp'> {
  readonly database: Database
  readonly publisher: FeedPublisher
  readonly logger: Logger
}

export interface FeedKeeper {
  /** Whether the feed took the last beat. */
  isUp(): boolean
  stop(): Promise<void>
}

/** Nodes tell by it how old their feed is, and how far off their clocks are. */
const BEAT_MS = 1_000

/** Channels that are told anew at once, and read at once from the database. */
const AT_ONCE = 6
const PAGE = 1_000

/**
 * Keeps the feed: a beat each second, what could not be published as soon as NATS is back, every channel anew where
 * NATS has lost the stream, and a single one for a node that asks. Every worker does it; doing it twice does no harm.
 */
export function keepFeed(options: KeepFeedOptions): FeedKeeper {
  const { publisher, logger, clock } = options
  const stopping = new AbortController()
  const tell = tellFaults(logger, 'the feed cannot be kept')
  const asked = new Map<string, TimelineId>() // filled by those who ask, emptied by the loop
  let isUp = false // written by the loop only
  let telling: Promise<void> | undefined // one at a time, beside the beats

  const tellWhatIsMissing = async (wasUp: boolean) => {
    if (!wasUp) await publishWaiting(options, stopping.signal)
    if (!(await publisher.isMarked())) await tellAll(options, stopping.signal)
    const ids = [...asked.values()]
    asked.clear()
    await forEach(options, ids, stopping.signal, (id) => tellWhole(options, id))
  }
  const round = async () => {
    const wasUp = isUp
    isUp = await publisher.beat(clock()).then(
      () => true,
      () => false,
    )
    if (!isUp || telling !== undefined) return
    telling = tellWhatIsMissing(wasUp)
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
  // More than there are channels nobody has to ask for.
  const unhear = publisher.hearAsks((id) => asked.size < PAGE && asked.set(id.channelId, id))
  const ran = run()
  return {
    isUp: () => isUp,
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

/** The mark comes last: a worker that dies in between leaves it to the next. */
async function tellAll(options: KeepFeedOptions, signal: AbortSignal): Promise<void> {
  const { database, publisher, logger } = options
  let count = 0
  for (let after: TimelineId | undefined, isMore = true; isMore; ) {
    const ids = await listTimelines(database.platform, after, PAGE)
    await forEach(options, ids, signal, (id) => tellWhole(options, id))
    count += ids.length
    after = ids.at(-1)
    isMore = ids.length === PAGE
  }
  signal.throwIfAborted()
  await publisher.mark()
  logger.info({ channels: count }, 'the feed was told from the beginning')
}

const tellWhole = (options: KeepFeedOptions, id: TimelineId): Promise<void> =>
  publishWhole(options.database.forAccount(id.accountId), options, id)

/** One that cannot be told holds up no other; a feed that is gone ends it. */
async function forEach(
  { publisher, logger }: KeepFeedOptions,
  ids: readonly TimelineId[],
  signal: AbortSignal,
  work: (id: TimelineId) => Promise<void>,
): Promise<void> {
  await inTurn(ids, AT_ONCE, async (id) => {
    signal.throwIfAborted()
    await work(id).catch((error: unknown) => {
      if (!publisher.isUp()) throw error
      logger.warn({ err: error, channel_id: id.channelId }, 'the feed of a channel was not told')
    })
  })
}
