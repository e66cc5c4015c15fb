import { isBehind } from './cursor-text.ts'
import type { Event } from './read.ts'
import type { EventCursor } from './store.ts'

/** Reads the events after a cursor. */
export type ReadAfter = (after: EventCursor | undefined, limit: number) => Promise<readonly Event[]>

export interface AccountReader {
  readonly read: ReadAfter
  /** The newest readable event; undefined while restored events are being reordered. */
  readonly findHead: () => Promise<EventCursor | undefined>
}

/** A follower that has received everything up to the cursor of the feed. */
export interface HeadFollower {
  deliver(batch: EventBatch): void
}

export interface EventBatch {
  readonly events: readonly Event[]
  /** The cursor of the feed before these events. */
  readonly before: EventCursor
  /** Serialized text by filter key, shared by followers with the same filter. Bounded by `PRINTED_FILTERS`. */
  readonly printed: Map<string, PrintedBatch>
}

/** The events that pass a filter, serialized. */
export interface PrintedBatch {
  readonly bytes: Buffer
  readonly count: number
  /** The id of the last event in it. */
  readonly lastId: string
}

export interface AccountFeed {
  /** The last event read; undefined before the first poll. */
  cursor(): EventCursor | undefined
  /** The batches since a cursor; undefined unless all of them are still in memory. */
  after(at: EventCursor): readonly EventBatch[] | undefined
  add(follower: HeadFollower): void
  remove(follower: HeadFollower): void
  stop(): Promise<void>
}

/** Upper bound of the delay of an event; twice that when an older transaction delays it. */
export const POLL_MS = 250
/** Kept small because each client that does not read may hold one batch in memory. */
const BATCH_EVENTS = 100

/** Events kept in memory for followers that are slightly behind: briefly slow, or reconnected from another process. */
const RECENT_EVENTS = 1_000
/** Serialized texts cached per batch, so that an account with a filter for each client does not use too much memory. */
const PRINTED_FILTERS = 4

/** The serialized text of a batch for a filter, from the cache if it is there. */
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

/** Reads the new events of an account once for all followers in this process that have caught up. */
export function startAccountFeed(reader: AccountReader): AccountFeed {
  const followers = new Set<HeadFollower>()
  const stopping = new AbortController()
  let cursor: EventCursor | undefined // written only by the poll loop
  let recent: EventBatch[] = [] // contiguous; the last ends at the cursor

  const poll = async (): Promise<boolean> => {
    cursor ??= await reader.findHead()
    if (cursor === undefined) return false
    const before = cursor
    const events = await reader.read(before, BATCH_EVENTS)
    if (events.length === 0) return false
    cursor = events.at(-1)!.cursor
    const batch = { events, before, printed: new Map<string, PrintedBatch>() }
    // A restore of the database begins a new epoch: older cursors are not comparable.
    recent = before.epoch === cursor.epoch ? trimmed([...recent, batch]) : []
    for (const follower of followers) follower.deliver(batch)
    return events.length === BATCH_EVENTS
  }
  const pollLoop = async () => {
    while (!stopping.signal.aborted) {
      // The pool logs the error. The next poll resumes at the same cursor.
      const hasMore = await poll().catch(() => false)
      if (!hasMore) await pause(POLL_MS, stopping.signal)
    }
  }
  const polling = pollLoop()

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
      return polling
    },
  }
}

/** The last batches, up to `RECENT_EVENTS` events. */
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
