import type { Dependency } from '../../http/health.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedFollower } from '../../platform/feed/feed-follower.ts'
import type { ClockWatch } from './clock-watch.ts'

/** The part of the feed follower that a node uses. */
export type Feed = Pick<FeedFollower, 'caughtUp' | 'lastReceivedMs' | 'requestSnapshot'>

/** Whether a node may serve requests. */
export interface Readiness {
  readonly dependencies: readonly Dependency[]
  /** It is in service: from then on, a change of listed segments is a late cut. */
  isSettled(): boolean
  /** It has received everything that the feed had when it started. */
  isCaughtUp(): boolean
  close(): void
}

/** If nothing of the feed is received by then, a node goes into service with the channels on its disk, if any. */
const FEED_PATIENCE_MS = 5_000

/** Workers send a heartbeat once a second. */
const SILENCE_MS = 10_000

export interface KnownChannels {
  /** Whether the node had a channel on its disk when it started. */
  readonly fromDisk: boolean
  /** Whether the feed has sent its completeness marker. */
  readonly isComplete: () => boolean
}

export function watchReadiness(feed: Feed, watch: ClockWatch, clock: Clock, known: KnownChannels): Readiness {
  let isCaughtUp = false
  let isSettled = false // never reset: an outage does not take a node out of service
  void feed.caughtUp.then(() => {
    isCaughtUp = true
  })
  const timer = setTimeout(() => {
    // Without a single channel it would return 404 for everything, while another node may have them all.
    if (feed.lastReceivedMs() === undefined && known.fromDisk) isSettled = true
  }, FEED_PATIENCE_MS)
  timer.unref()
  const hasSettled = () => {
    // A stream without its marker is still being filled.
    isSettled ||= isCaughtUp && (known.fromDisk || known.isComplete())
    // A feed that breaks off before it is caught up may stay down for long.
    isSettled ||= known.fromDisk && clock() - (feed.lastReceivedMs() ?? clock()) > FEED_PATIENCE_MS
    return isSettled
  }

  const requireSettled = () => {
    if (hasSettled()) return
    throw new Error(isCaughtUp ? 'waiting for the completeness marker of the feed' : 'waiting for the feed')
  }
  const requireClock = () => {
    const { isWrong, offsetMs, brokerOffsetMs } = watch.look(clock())
    if (isWrong)
      throw new Error(
        `differs by ${offsetMs} ms from the workers and by ${brokerOffsetMs} ms from the broker`,
      )
  }
  const requireFeed = () => {
    const receivedMs = feed.lastReceivedMs()
    if (receivedMs === undefined) throw new Error('nothing received')
    if (clock() - receivedMs > SILENCE_MS) throw new Error(`nothing received for ${clock() - receivedMs} ms`)
  }
  return {
    dependencies: [
      { name: 'channels', isRequired: true, ping: async () => requireSettled() },
      { name: 'clock', isRequired: true, ping: async () => requireClock() },
      // Not required: nodes keep playing without it, and would all leave the load balancer at once.
      { name: 'feed', isRequired: false, ping: async () => requireFeed() },
    ],
    isSettled: hasSettled,
    isCaughtUp: () => isCaughtUp && hasSettled(),
    close: () => clearTimeout(timer),
  }
}
