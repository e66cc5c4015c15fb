import { join } from 'node:path'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { Dependency } from '../../http/health.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Heartbeat } from '../../platform/feed/feed-follower.ts'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import { createFaultLog } from '../../platform/log/fault-log.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type Audience, type AudienceOptions, openAudience } from './audience/open-audience.ts'
import type { SendBatch } from './audience/send-batches.ts'
import { type ChannelStore, createChannelStore } from './channel-store.ts'
import { createClockWatch } from './clock-watch.ts'
import { type GuideFiles, openGuideFiles } from './guide-files.ts'
import { createHorizon } from './horizon.ts'
import { createLiveLogs, type LiveLogs } from './live-logs.ts'
import { countFigures, type PlayoutFigures, readFigures } from './playout-figures.ts'
import { type Feed, type Readiness, watchReadiness } from './readiness.ts'
import { renderInThread } from './render-in-thread.ts'
import { type Playlists, type ServeOptions, servePlaylists } from './serve-playlists.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'

export interface PlayoutOptions
  extends Omit<ServeOptions, 'store' | 'onFault' | 'hasAllChannels' | 'live' | 'audience' | 'renderGuide'> {
  readonly logger: Logger
  /** The system clock, even if a test steers `clock`. */
  readonly systemClock: Clock
  readonly snapshotFolder: string
  /** How viewers are counted; undefined if they are not. */
  readonly counting?: CountingOptions | undefined
}

export type CountingOptions = Omit<
  AudienceOptions,
  'timelineAt' | 'live' | 'clock' | 'systemClock' | 'logger' | 'metrics'
>

/** A playout node without its server. */
export interface Playout {
  readonly answer: Playlists['answer']
  /** Applies an update of the feed. */
  apply(bytes: Uint8Array, message: FeedMessage, id: FeedChannelId): void
  /** Whether an update of the feed would change nothing. */
  isKnown(id: FeedChannelId, message: FeedMessage): boolean
  receiveHeartbeat(heartbeat: Heartbeat): void
  /** The planned programs of channels, for their guides. */
  readonly guides: GuideFiles
  /** Applies the log of an input of a live source. */
  readonly applyLog: LiveLogs['apply']
  /** Call when the feed has a snapshot of every channel in an epoch: channels without one are removed. */
  complete(epoch: number): void
  /** Starts requesting missing updates from the feed, and tracks when all are received. */
  follow(feed: Feed): readonly Dependency[]
  /** Starts sending audience batches. */
  sendAudience(send: SendBatch): void
  figures(): PlayoutFigures
  close(): Promise<void>
}

/** Opens a node with the channels on its disk. */
export async function openPlayout(options: PlayoutOptions): Promise<Playout> {
  const { clock, logger, metrics } = options
  let feed: Feed | undefined // this and the next are written once, by `follow`
  let readiness: Readiness | undefined
  let isComplete = false // written only by `complete`
  const lateCuts = metrics.counter('late_cuts_total', 'Updates that replaced listed segments.')
  const late = lateCuts.series()
  const watch = createClockWatch(options.systemClock)
  const store = createChannelStore({
    clock,
    onGap: (id) => feed?.requestSnapshot(id),
    onChange: (channelId) => {
      playlists.evict(channelId)
      audience?.evict(channelId)
      horizon.note(channelId)
    },
    onLateCut: ({ channelId }) => {
      // A node that is not in service yet has served no playlist.
      if (readiness?.isSettled() !== true) return
      late.add()
      logger.warn({ channel_id: channelId }, 'late cut: an update replaced listed segments')
    },
  })
  const horizon = createHorizon(store)
  const liveLogs = createLiveLogs(createFaultLog(logger, 'live log message failed to decode; ignoring it'))
  metrics.gauge('playout_live_logs', 'Live sources with a log on this node.', liveLogs.count)
  const audience = await countViewers(options, {
    live: liveLogs.view,
    timelineAt(channelId, ticks, nowMs) {
      const state = store.find(channelId)
      return state && playlists.timelineAt(state, ticks, nowMs)
    },
  })
  const guideFolder = join(options.snapshotFolder, 'guides')
  const renderer = renderInThread(guideFolder)
  const guides = openGuideFiles(guideFolder, (channelId) => playlists.evictGuides(channelId))
  const playlists = servePlaylists({
    ...options,
    renderGuide: renderer.render,
    store,
    live: liveLogs.view,
    audience,
    // Channels lost from a corrupt log are complete only when the feed has sent everything again.
    hasAllChannels: () => {
      if (readiness === undefined) return false
      const hasAll = readiness.isCaughtUp() && isComplete
      return hasAll || (readiness.isSettled() && snapshot.figures().corruptStretches === 0)
    },
    onFault: createFaultLog(logger, 'serving a playlist failed'),
  })
  const snapshot = await readSnapshot(options, store)
  const sources = { clock, store, horizon, watch, lastReceivedMs: () => feed?.lastReceivedMs() }
  countFigures(metrics, sources, snapshot)
  const stopTimers = startTimers(store, playlists, snapshot)

  const apply = (bytes: Uint8Array, message: FeedMessage, id: FeedChannelId) => {
    if (store.apply(id, message) !== 'known') snapshot.append(id, bytes)
  }

  return {
    answer: playlists.answer,
    apply,
    isKnown: store.isKnown,
    receiveHeartbeat: watch.receive,
    guides,
    applyLog: liveLogs.apply,
    complete(epoch) {
      isComplete = true
      for (const message of store.listObsolete(epoch)) {
        const { accountId, channelId } = message.channel
        logger.warn(
          { channel_id: channelId, epoch },
          'removed a channel that the restored database does not have',
        )
        apply(encodeUpdate(message), message, { accountId, channelId })
      }
    },
    follow(followed) {
      feed = followed
      const fromDisk = store.states().next().done !== true
      readiness = watchReadiness(followed, watch, clock, { fromDisk, isComplete: () => isComplete })
      return readiness.dependencies
    },
    sendAudience: (send) => audience?.follow(send),
    figures: () => readFigures(sources),
    async close() {
      stopTimers()
      await audience?.close()
      readiness?.close()
      await snapshot.close()
      await renderer.close()
    },
  }
}

async function countViewers(
  { counting, clock, systemClock, logger, metrics }: PlayoutOptions,
  sources: Pick<AudienceOptions, 'live' | 'timelineAt'>,
): Promise<Audience | undefined> {
  if (counting === undefined) return undefined
  return openAudience({ ...counting, ...sources, clock, systemClock, logger, metrics })
}

async function readSnapshot(
  { clock, logger, snapshotFolder: folder }: PlayoutOptions,
  store: ChannelStore,
): Promise<Snapshot> {
  const startMs = performance.now()
  const onFault = createFaultLog(logger, 'snapshot: writing failed')
  const snapshot = await openSnapshot({ ...store, folder, clock, onFault })
  const { logBytes, isCut, corruptStretches, corruptBytes, keptAside } = snapshot.figures()
  const ms = Math.round(performance.now() - startMs)
  logger.info({ channels: store.count(), bytes: logBytes, is_cut: isCut, ms }, 'snapshot: loaded')
  if (corruptStretches > 0)
    logger.error(
      {
        corrupt_stretches: corruptStretches,
        corrupt_bytes: corruptBytes,
        channels_waiting: store.waiting(),
        kept_aside: keptAside ?? null,
      },
      'snapshot: skipped corrupt frames; rewriting the log, the feed sends missing channels',
    )
  return snapshot
}

const CHECK_MS = 500
const SWEEP_MS = 5_000

function startTimers(store: ChannelStore, playlists: Playlists, snapshot: Snapshot): () => void {
  const check = setInterval(() => {
    store.requestMissing()
    snapshot.retry()
  }, CHECK_MS)
  const sweep = setInterval(() => playlists.sweep(), SWEEP_MS)
  check.unref()
  sweep.unref()
  return () => {
    clearInterval(check)
    clearInterval(sweep)
  }
}
