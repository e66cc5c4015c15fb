import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database, Db } from '../../platform/database/database.ts'
import { setDueBy } from '../../platform/due/due-rows.ts'
import type { GuidePublisher } from '../../platform/feed/guide-publisher.ts'
import { createFaultLog } from '../../platform/log/fault-log.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { readDatabaseState } from './feed-epoch-store.ts'
import { listTimelines, type TimelineId } from './timeline-store.ts'

export interface KeepGuidesOptions {
  readonly database: Pick<Database, 'platform'>
  readonly guides: Pick<GuidePublisher, 'ensureStream' | 'findMarker' | 'publishMarker'>
  readonly clock: Clock
  readonly logger: Logger
  readonly isPaused: () => boolean
  /** Whether the feed accepted the last message. */
  readonly isFeedUp: () => boolean
}

export interface GuideKeeper {
  stop(): Promise<void>
}

const LOOK_MS = 5_000
const PAGE = 1_000

/** Nodes keep their guides meanwhile, and other work of the workers goes first. */
const EACH_MS = 30
const SPREAD_MS = 300_000

/** Workers whose key files differ would otherwise keep publishing everything again. */
const SIGN_AGAIN_MS = 600_000

/** Keeps the stream of guides complete. Every worker does it; doing it twice is harmless. */
export function keepGuides(options: KeepGuidesOptions): GuideKeeper {
  const stopping = new AbortController()
  const logFault = createFaultLog(options.logger, 'guide: could not check the stream; retrying')
  const look = createLook(options)
  const run = async () => {
    while (!stopping.signal.aborted) {
      if (!options.isPaused() && options.isFeedUp()) await look().catch(logFault)
      await setTimeout(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const ran = run()
  return {
    async stop() {
      stopping.abort()
      await ran
    },
  }
}

/**
 * Where the stream was lost, the database restored or the key replaced, every guide becomes due, and then the marker is
 * published: where a worker is killed in between, the next one does it again.
 */
export function createLook({ database, guides, clock, logger }: KeepGuidesOptions): () => Promise<void> {
  let signedMs = Number.NEGATIVE_INFINITY // when guides were last published because of their key
  return async () => {
    const { epoch } = await readDatabaseState(database.platform)
    const created = await guides.ensureStream()
    const marker = await guides.findMarker()
    const isOldKey = marker?.isCurrent === false && performance.now() - signedMs > SIGN_AGAIN_MS
    if (marker?.created === created && marker.epoch === epoch && !isOldKey) return
    if (isOldKey) signedMs = performance.now()
    const channels = await makeAllDue(database.platform, clock())
    await guides.publishMarker({ created, epoch })
    logger.info({ channels, epoch }, 'guide: publishing the guides of all channels')
  }
}

async function makeAllDue(platform: Db, nowMs: number): Promise<number> {
  let channels = 0
  const dueMs = (at: number) => nowMs + Math.min(at * EACH_MS, SPREAD_MS)
  for (let after: TimelineId | undefined, isMore = true; isMore; ) {
    const ids = await listTimelines(platform, after, PAGE)
    await setDueBy(
      platform,
      'publish_guide',
      ids.map(({ accountId, channelId }, at) => ({
        subjectId: channelId,
        accountId,
        dueMs: dueMs(channels + at),
      })),
    )
    channels += ids.length
    after = ids.at(-1)
    isMore = ids.length === PAGE
  }
  return channels
}
