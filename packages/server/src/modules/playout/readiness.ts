import type { Dependency } from '../../http/health.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedFollower } from '../../platform/feed/feed-follower.ts'
import { type ClockWatch, OFFSET_MAXIMUM_MS } from './clock-watch.ts'

/** What a node has to know of the feed. */
export type Feed = Pick<FeedFollower, 'caughtUp' | 'lastHeardMs' | 'ask'>

/** Whether a node may be asked. */
export interface Readiness {
  readonly dependencies: readonly Dependency[]
  /** It knows all that there is to know: from then on, whatever it lists is its word. */
  isSettled(): boolean
  close(): void
}

/** Where nothing of the feed is heard by then, a node goes on with what it has on its disk. */
const FEED_PATIENCE_MS = 5_000

/** Workers beat once a second. */
const SILENCE_MS = 10_000

export function watchReadiness(feed: Feed, watch: ClockWatch, clock: Clock): Readiness {
  let isSettled = false // once, and for good: a node that has been ready is not taken out of service by an outage
  const settle = () => {
    isSettled = true
  }
  void feed.caughtUp.then(settle)
  const timer = setTimeout(() => {
    if (feed.lastHeardMs() === undefined) settle()
  }, FEED_PATIENCE_MS)
  timer.unref()

  const requireSettled = () => {
    if (!isSettled) throw new Error('waits for the feed to tell what it missed')
  }
  const requireClock = () => {
    const offsetMs = watch.offsetMs(clock()) ?? 0
    if (Math.abs(offsetMs) > OFFSET_MAXIMUM_MS)
      throw new Error(`differs by ${offsetMs} ms from those of the workers`)
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
    isSettled: () => isSettled,
    close: () => clearTimeout(timer),
  }
}
