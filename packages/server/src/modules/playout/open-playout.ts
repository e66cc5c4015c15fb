import { encodeStep } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { Dependency } from '../../http/health.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Beat } from '../../platform/feed/feed-follower.ts'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import type { Logger } from '../../platform/logger.ts'
import { tellFaults } from '../../platform/told-faults.ts'
import { type Audience, type AudienceOptions, openAudience } from './audience/open-audience.ts'
import type { SendBatch } from './audience/send-batches.ts'
import { type ChannelStore, createChannelStore } from './channel-store.ts'
import { createClockWatch } from './clock-watch.ts'
import { createHorizon } from './horizon.ts'
import { createLiveLogs, type LiveLogs } from './live-logs.ts'
import { countFigures, type PlayoutFigures, readFigures } from './playout-figures.ts'
import { type Feed, type Readiness, watchReadiness } from './readiness.ts'
import { type Playlists, type ServeOptions, servePlaylists } from './serve-playlists.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'

export interface PlayoutOptions
  extends Omit<ServeOptions, 'store' | 'onFault' | 'knowsAll' | 'live' | 'audience'> {
  readonly logger: Logger
  /** The system's clock, also where `clock` is steered by a test. */
  readonly systemClock: Clock
  readonly snapshotFolder: string
  /** How viewers are counted; undefined: they are not. */
  readonly counting?: CountingOptions | undefined
}

export type CountingOptions = Omit<
  AudienceOptions,
  'timelineAt' | 'live' | 'clock' | 'systemClock' | 'logger' | 'metrics'
>

/** A playout node without its server: what it knows, and what it answers. */
export interface Playout {
  readonly answer: Playlists['answer']
  /** A step of the feed. */
  learn(bytes: Uint8Array, message: FeedMessage, id: FeedChannelId): void
  /** Whether a step of the feed would change nothing. */
  isKnown(id: FeedChannelId, message: FeedMessage): boolean
  heard(beat: Beat): void
  /** The log of an input of a live source. */
  readonly learnLog: LiveLogs['learn']
  /** The feed holds every channel in an epoch: what it does not hold is gone. */
  complete(epoch: number): void
  /** From now on it asks the feed for what it misses, and waits to be told everything. */
  follow(feed: Feed): readonly Dependency[]
  /** From now on audience batches are sent. */
  sendAudience(send: SendBatch): void
  figures(): PlayoutFigures
  close(): Promise<void>
}

/** Opened, it knows all that is on its disk. */
export async function openPlayout(options: PlayoutOptions): Promise<Playout> {
  const { clock, logger, metrics } = options
  let feed: Feed | undefined // written once, by `follow`, like the next one
  let readiness: Readiness | undefined
  let isComplete = false // written by `complete` only
  const lateCuts = metrics.counter('late_cuts_total', 'Changes that came after what they change was listed.')
  const late = lateCuts.series()
  const watch = createClockWatch(options.systemClock)
  const store = createChannelStore({
    clock,
    onGap: (id) => feed?.ask(id),
    onChange: (channelId) => {
      playlists.forget(channelId)
      audience?.forget(channelId)
      horizon.note(channelId)
    },
    onLateCut: ({ channelId }) => {
      // A node that is not in service yet has listed nothing to anybody.
      if (readiness?.isSettled() !== true) return
      late.add()
      logger.warn({ channel_id: channelId }, 'a change came after what it changes was listed')
    },
  })
  const horizon = createHorizon(store)
  const liveLogs = createLiveLogs(tellFaults(logger, 'a log of a live source cannot be read'))
  metrics.gauge('playout_live_logs', 'Live sources of which this node has a log.', liveLogs.count)
  const audience = await countViewers(options, {
    live: liveLogs.view,
    timelineAt(channelId, ticks, nowMs) {
      const state = store.find(channelId)
      return state && playlists.timelineAt(state, ticks, nowMs)
    },
  })
  const playlists = servePlaylists({
    ...options,
    store,
    live: liveLogs.view,
    audience,
    // What a corrupt log lost is known only when the feed has sent everything again.
    knowsAll: () => {
      if (readiness === undefined) return false
      const isWhole = readiness.isCaughtUp() && isComplete
      return isWhole || (readiness.isSettled() && snapshot.figures().corruptStretches === 0)
    },
    onFault: tellFaults(logger, 'a playlist failed'),
  })
  const snapshot = await readSnapshot(options, store)
  const sources = { clock, store, horizon, watch, heardMs: () => feed?.lastHeardMs() }
  countFigures(metrics, sources, snapshot)
  const stopLooking = lookNowAndThen(store, playlists, snapshot)

  const learn = (bytes: Uint8Array, message: FeedMessage, id: FeedChannelId) => {
    if (store.learn(id, message) !== 'known') snapshot.append(id, bytes)
  }

  return {
    answer: playlists.answer,
    learn,
    isKnown: store.isKnown,
    heard: watch.heard,
    learnLog: liveLogs.learn,
    complete(epoch) {
      isComplete = true
      for (const message of store.listObsolete(epoch)) {
        const { accountId, channelId } = message.channel
        logger.warn(
          { channel_id: channelId, epoch },
          'removed a channel that the restored database does not have',
        )
        learn(encodeStep(message), message, { accountId, channelId })
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
      stopLooking()
      await audience?.close()
      readiness?.close()
      await snapshot.close()
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
  const onFault = tellFaults(logger, 'the disk copy of the feed failed')
  const snapshot = await openSnapshot({ ...store, folder, clock, onFault })
  const { logBytes, isCut, corruptStretches, corruptBytes, keptAside } = snapshot.figures()
  const ms = Math.round(performance.now() - startMs)
  logger.info(
    { channels: store.count(), bytes: logBytes, is_cut: isCut, ms },
    'the disk copy of the feed was read',
  )
  if (corruptStretches > 0)
    logger.error(
      {
        corrupt_stretches: corruptStretches,
        corrupt_bytes: corruptBytes,
        channels_waiting: store.waiting(),
        kept_aside: keptAside ?? null,
      },
      'snapshot: skipped corrupt frames; writing the log anew, and the feed sends what is missing',
    )
  return snapshot
}

const LOOK_MS = 500
const SWEEP_MS = 5_000

function lookNowAndThen(store: ChannelStore, playlists: Playlists, snapshot: Snapshot): () => void {
  const look = setInterval(() => {
    store.askForMissing()
    snapshot.retry()
  }, LOOK_MS)
  const sweep = setInterval(() => playlists.sweep(), SWEEP_MS)
  look.unref()
  sweep.unref()
  return () => {
    clearInterval(look)
    clearInterval(sweep)
  }
}
