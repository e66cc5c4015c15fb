import type { Dependency } from '../../http/health.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedFollower } from '../../platform/feed/feed-follower.ts'
import type { ClockWatch } from './clock-watch.ts'

/** What a node has to know of the feed. */
export type Feed = Pick<FeedFollower, 'caughtUp' | 'lastHeardMs' | 'ask'>

/** Whether a node may be asked. */
export interface Readiness {
  readonly dependencies: readonly Dependency[]
  /** It knows all that there is to know: from then on, whatever it lists is its word. */
  isSettled(): boolean
  /** It has received all that the feed had when it started. */
  isCaughtUp(): boolean
  close(): void
}

/** Where nothing of the feed is received by then, a node goes into service with what it has on its disk, if anything. */
const FEED_PATIENCE_MS = 5_000

/** Workers beat once a second. */
const SILENCE_MS = 10_000

export interface KnownChannels {
  /** Whether the node had a channel on its disk when it started. */
  readonly fromDisk: boolean
  /** Whether the feed has stated that it holds all channels. */
  readonly isComplete: () => boolean
}

export function watchReadiness(feed: Feed, watch: ClockWatch, clock: Clock, known: KnownChannels): Readiness {
  let isCaughtUp = false
  let isSettled = false // once, and for good: a node that has been ready is not taken out of service by an outage
  void feed.caughtUp.then(() => {
    isCaughtUp = true
  })
  const timer = setTimeout(() => {
    // Without a single channel it would answer 404 to everybody, while another node may know them all.
    if (feed.lastHeardMs() === undefined && known.fromDisk) isSettled = true
  }, FEED_PATIENCE_MS)
  timer.unref()
  const hasSettled = () => {
    // A stream without its marker is being filled, and does not hold all channels yet.
    isSettled ||= isCaughtUp && (known.fromDisk || known.isComplete())
    // A feed that is gone before all of it was received may stay away for long.
    isSettled ||= known.fromDisk && clock() - (feed.lastHeardMs() ?? clock()) > FEED_PATIENCE_MS
    return isSettled
  }

  const requireSettled = () => {
    if (hasSettled()) return
    throw new Error(isCaughtUp ? 'waits until the feed holds all channels' : 'waits for the feed')
  }
  const requireClock = () => {
    const { isWrong, offsetMs, brokerOffsetMs } = watch.look(clock())
    if (isWrong)
      throw new Error(
        `differs by ${offsetMs} ms from the workers and by ${brokerOffsetMs} ms from the broker`,
      )
  }
  const requireFeed = () => {
    const heardMs = feed.lastHeardMs()
    if (heardMs === undefined) throw new Error('nothing was heard')
    if (clock() - heardMs > SILENCE_MS) throw new Error(`nothing was heard for ${clock() - heardMs} ms`)
  }
  return {
    dependencies: [
      { name: 'channels', isRequired: true, ping: async () => requireSettled() },
      { name: 'clock', isRequired: true, ping: async () => requireClock() },
      // Without it a node plays on, and all would leave their balancer at once.
      { name: 'feed', isRequired: false, ping: async () => requireFeed() },
    ],
    isSettled: hasSettled,
    isCaughtUp: () => isCaughtUp && hasSettled(),
    close: () => clearTimeout(timer),
  }
}
