import type { Event } from './read.ts'
import type { EventCursor } from './store.ts'

/** Reads on after a cursor. */
export type ReadAfter = (after: EventCursor | undefined, limit: number) => Promise<readonly Event[]>

export interface AccountReader {
  readonly read: ReadAfter
  /** The last event that is there; undefined while events are being put in order. */
  readonly findHead: () => Promise<EventCursor | undefined>
}

/** One who has received everything up to the cursor of the feed. */
export interface HeadFollower {
  deliver(batch: EventBatch): void
}

export interface EventBatch {
  readonly events: readonly Event[]
  /** Of the feed before these events. */
  readonly before: EventCursor
  /** Texts that were printed of it, by the key of the filter: followers with the same filter share one. */
  readonly printed: Map<string, Buffer>
}

export interface AccountFeed {
  /** How far it has read. Undefined before its first look. */
  cursor(): EventCursor | undefined
  add(follower: HeadFollower): void
  remove(follower: HeadFollower): void
  stop(): Promise<void>
}

/** An event is waited for at most this long, with as much again for what is held back by an older transaction. */
export const POLL_MS = 250
const BATCH_EVENTS = 500

/** Reads the new events of an account once, for all who follow it in this process and have caught up. */
export function startAccountFeed(reader: AccountReader): AccountFeed {
  const followers = new Set<HeadFollower>()
  const stopping = new AbortController()
  let cursor: EventCursor | undefined // written by the loop only

  const look = async (): Promise<boolean> => {
    cursor ??= await reader.findHead()
    if (cursor === undefined) return false
    const before = cursor
    const events = await reader.read(before, BATCH_EVENTS)
    if (events.length === 0) return false
    cursor = events.at(-1)!.cursor
    const batch = { events, before, printed: new Map<string, Buffer>() }
    for (const follower of followers) follower.deliver(batch)
    return events.length === BATCH_EVENTS
  }
  const keepLooking = async () => {
    while (!stopping.signal.aborted) {
      // The pool has logged what is wrong. Followers wait, and miss nothing.
      const hasMore = await look().catch(() => false)
      if (!hasMore) await pause(POLL_MS, stopping.signal)
    }
  }
  const looking = keepLooking()

  return {
    cursor: () => cursor,
    add: (follower) => void followers.add(follower),
    remove: (follower) => void followers.delete(follower),
    stop() {
      stopping.abort()
      return looking
    },
  }
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
