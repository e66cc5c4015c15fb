import { setInterval } from 'node:timers'
import type { Database } from '../../platform/database/database.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { type AccountFeed, startAccountFeed } from './account-feed.ts'
import { type Follower, type FollowerOptions, type Sink, startFollower } from './follower.ts'
import { findHead, readEvents } from './read.ts'
import type { EventCursor } from './store.ts'

export interface StreamLimits {
  readonly perAccount: number
  readonly perProcess: number
}

export interface FollowOptions extends Pick<FollowerOptions, 'filter' | 'from' | 'isFollowing'> {
  readonly accountId: string
  readonly sink: Sink
  /** Whether the credential that opened the stream is still valid. */
  readonly isAllowed: () => boolean
}

export interface EventStreams {
  readonly limits: StreamLimits
  /** Whether the account may open another stream in this process. */
  room(accountId: string): 'room' | 'account_full' | 'process_full'
  /** Opens a stream. */
  follow(options: FollowOptions): Follower
  close(): Promise<void>
}

interface OpenAccount {
  readonly feed: AccountFeed
  readonly followers: Set<Follower>
}

/** Database connections that streams may use at once. The rest of the pool is for requests. */
const HEAD_READS = 3
const OWN_READS = 3
const TICK_MS = 1_000

/** All streams of events of a process. */
export function openEventStreams(database: Database, limits: StreamLimits, metrics: Metrics): EventStreams {
  const accounts = new Map<string, OpenAccount>()
  const stopped = new Set<Promise<void>>()
  const headLanes = createLanes(HEAD_READS)
  const ownLanes = createLanes(OWN_READS)
  let open = 0
  metrics.gauge('event_streams_open', 'Open event streams.', () => open)
  const sent = metrics.counter('event_stream_events_total', 'Events sent to followers.').series()
  const endings = metrics.counter('event_streams_ended_total', 'Event streams closed, by reason.')

  const accountOf = (accountId: string): OpenAccount => {
    const known = accounts.get(accountId)
    if (known !== undefined) return known
    const db = database.forAccount(accountId)
    const feed = startAccountFeed({
      read: (after, limit) => headLanes(() => readEvents(db, accountId, after, limit)),
      findHead: () => headLanes(() => findHead(db, accountId)),
    })
    const account = { feed, followers: new Set<Follower>() }
    accounts.set(accountId, account)
    return account
  }
  const leave = (accountId: string, follower: Follower) => {
    const account = accounts.get(accountId)
    open -= 1
    account?.followers.delete(follower)
    if (account === undefined || account.followers.size > 0) return
    accounts.delete(accountId)
    const stopping = account.feed.stop().finally(() => stopped.delete(stopping))
    stopped.add(stopping)
  }

  const checks = new Map<Follower, () => boolean>()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const [follower, isAllowed] of checks) {
      if (!isAllowed()) follower.end('credential')
      else if (follower.tick(nowMs) === 'stalled') follower.end('stalled')
    }
  }, TICK_MS).unref()

  return {
    limits,
    room(accountId) {
      if (open >= limits.perProcess) return 'process_full'
      const openHere = accounts.get(accountId)?.followers.size ?? 0
      return openHere >= limits.perAccount ? 'account_full' : 'room'
    },
    follow({ accountId, isAllowed, ...options }) {
      const { feed, followers } = accountOf(accountId)
      const db = database.forAccount(accountId)
      const read = (after: EventCursor | undefined, limit: number) =>
        ownLanes(() => readEvents(db, accountId, after, limit))
      const follower = startFollower({ ...options, feed, read, onSent: (count) => sent.add(count) })
      open += 1
      followers.add(follower)
      checks.set(follower, isAllowed)
      void follower.ended.then((reason) => {
        endings.series({ reason }).add()
        checks.delete(follower)
        leave(accountId, follower)
      })
      return follower
    },
    async close() {
      clearInterval(timer)
      for (const follower of checks.keys()) follower.end('stopping')
      await new Promise(setImmediate)
      await Promise.all(stopped)
    },
  }
}

/** Runs a limited number of tasks concurrently; the others are queued. */
type Lanes = <T>(work: () => Promise<T>) => Promise<T>

function createLanes(most: number): Lanes {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The next queued task takes over the slot, so that later calls cannot overtake it.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
