import { isBehind } from './cursor-text.ts'
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
  /** Texts that were printed of it, by the key of the filter: followers with the same filter share one. Some filters only. */
  readonly printed: Map<string, PrintedBatch>
}

/** What passes a filter, as it is written. */
export interface PrintedBatch {
  readonly bytes: Buffer
  readonly count: number
  /** The id of the last event in it. */
  readonly lastId: string
}

export interface AccountFeed {
  /** How far it has read. Undefined before its first look. */
  cursor(): EventCursor | undefined
  /** What it has read since a cursor, where it has all of that in memory. */
  after(at: EventCursor): readonly EventBatch[] | undefined
  add(follower: HeadFollower): void
  remove(follower: HeadFollower): void
  stop(): Promise<void>
}

/** An event is waited for at most this long, with as much again for what is held back by an older transaction. */
export const POLL_MS = 250
/** Few enough that a batch is small: each client that does not read may keep one. */
const BATCH_EVENTS = 100

/**
 * Events that are kept for those who are a little behind: whose client was slow for a moment, or who have just come from
 * another process.
 */
const RECENT_EVENTS = 1_000
/** Each batch is printed for so many filters at most: an account with a filter for each client would keep too much. */
const PRINTED_FILTERS = 4

/** The text of a batch for a filter: one that was printed before, where there is one. */
export function sharedText(
  { events, printed }: EventBatch,
  key: string,
  print: (events: readonly Event[]) => PrintedBatch,
): PrintedBatch {
  const known = printed.get(key)
  if (known !== undefined) return known
  const text = print(events)
  if (printed.size < PRINTED_FILTERS) printed.set(key, text)
  return text
}

/** Reads the new events of an account once, for all who follow it in this process and have caught up. */
export function startAccountFeed(reader: AccountReader): AccountFeed {
  const followers = new Set<HeadFollower>()
  const stopping = new AbortController()
  let cursor: EventCursor | undefined // written by the loop only
  let recent: EventBatch[] = [] // one follows on the other; the last ends at the cursor

  const look = async (): Promise<boolean> => {
    cursor ??= await reader.findHead()
    if (cursor === undefined) return false
    const before = cursor
    const events = await reader.read(before, BATCH_EVENTS)
    if (events.length === 0) return false
    cursor = events.at(-1)!.cursor
    const batch = { events, before, printed: new Map<string, PrintedBatch>() }
    // A restore of the database begins another count.
    recent = before.epoch === cursor.epoch ? trimmed([...recent, batch]) : []
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
    after(at) {
      const oldest = recent[0]?.before ?? cursor
      if (oldest === undefined || oldest.epoch !== at.epoch || isBehind(oldest, at)) return undefined
      return recent.filter(({ events }) => isBehind(events.at(-1)!.cursor, at))
    },
    add: (follower) => void followers.add(follower),
    remove: (follower) => void followers.delete(follower),
    stop() {
      stopping.abort()
      return looking
    },
  }
}

/** The last batches, with so many events as are kept. */
function trimmed(batches: readonly EventBatch[]): EventBatch[] {
  let count = 0
  return batches.slice(
    batches.findLastIndex(({ events }) => {
      count += events.length
      return count > RECENT_EVENTS
    }) + 1,
  )
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
