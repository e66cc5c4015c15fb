import type { AccountFeed, EventBatch, HeadFollower, PrintedBatch, ReadAfter } from './account-feed.ts'
import { POLL_MS, pause, sharedText } from './account-feed.ts'
import { isBehind, printCursor } from './cursor-text.ts'
import type { EventFilter } from './event-filter-wire.ts'
import type { Event } from './read.ts'
import type { EventCursor } from './store.ts'
import { printEvent } from './wire.ts'

/** The response that the stream is written to. */
export interface Sink {
  /** False when its buffer is full, until `drain`. */
  write(bytes: Buffer): boolean
  readonly writableNeedDrain: boolean
  end(): void
  destroy(): void
  on(name: 'drain', listener: () => void): unknown
}

export interface FollowerOptions {
  readonly feed: AccountFeed
  readonly read: ReadAfter
  readonly filter: EventFilter
  readonly sink: Sink
  /** After this event, from the oldest stored event, or only new events. */
  readonly from: EventCursor | 'oldest' | 'now'
  /** False ends the stream after the newest event. */
  readonly isFollowing: boolean
  /** Called with the number of events sent. */
  readonly onSent: (count: number) => void
}

export type EndReason = 'client' | 'complete' | 'credential' | 'stalled' | 'stopping'

export interface Follower {
  /** Writes a heartbeat if nothing else was written lately; returns whether the client has stopped reading. */
  tick(nowMs: number): 'alive' | 'stalled'
  end(reason: EndReason): void
  readonly ended: Promise<EndReason>
}

const HEARTBEAT_MS = 15_000
/** A client that reads nothing for this long is disconnected; it can resume with its cursor. */
const STALLED_MS = 60_000
/** Bounds the bytes buffered for one client. */
const PAGE_EVENTS = 100
/** The reconnection delay sent to clients. */
const RETRY_MS = 1_000

const COMMENT = Buffer.from(':\n\n')

/**
 * One stream of events. At the head it receives what the feed of its account reads; slightly behind it takes recent events
 * from the feed's memory; further behind it queries the database from its own cursor. While its client does not read it
 * does none of these, so that it buffers one batch at most.
 */
export function startFollower(options: FollowerOptions): Follower {
  const { feed, read, filter, sink, isFollowing } = options
  const ending = new AbortController()
  const { promise: ended, resolve: haveEnded } = Promise.withResolvers<EndReason>()
  let cursor = typeof options.from === 'string' ? undefined : options.from
  let isFromNow = options.from === 'now'
  let sentId = '' // the last id sent to the client
  let isAtHead = false
  let isCatchingUp = false
  let writtenMs = performance.now()
  let fullMs: number | undefined // since when its buffer is full

  const write = (bytes: Buffer) => {
    writtenMs = performance.now()
    if (!sink.write(bytes)) fullMs ??= writtenMs
  }
  const send = (events: readonly Event[], printed = printBatch(events, filter)) => {
    cursor = events.at(-1)?.cursor ?? cursor
    if (printed.count === 0) return
    write(printed.bytes)
    sentId = printed.lastId
    options.onSent(printed.count)
  }
  /** An id without data is not dispatched as an event: it only moves the id that a client resumes from. */
  const sendCursor = () => {
    if (cursor === undefined || printCursor(cursor) === sentId) return false
    sentId = printCursor(cursor)
    write(Buffer.from(`id: ${sentId}\n\n`))
    return true
  }

  const sendBatch = (batch: EventBatch) => {
    const { events, before } = batch
    const at = cursor
    if (at === undefined || at === before) {
      send(
        events,
        sharedText(batch, filter.key, (all) => printBatch(all, filter)),
      )
      return
    }
    // A follower that queried the database may be ahead of the feed.
    send(events.filter((event) => isBehind(event.cursor, at)))
  }
  const head: HeadFollower = {
    deliver(batch) {
      if (!sink.writableNeedDrain) return sendBatch(batch)
      isAtHead = false
      feed.remove(head)
    },
  }

  /** Joins the feed if its cursor has not moved since `before`, which was taken before our last read. */
  const join = (before: EventCursor | undefined): boolean => {
    if (before === undefined || feed.cursor() !== before) return false
    // Keep a cursor of a newer epoch: the feed may not have seen the restore yet, and would send its events again.
    const isSameEpoch = cursor === undefined || cursor.epoch === before.epoch
    if (isSameEpoch && (cursor === undefined || isBehind(before, cursor))) cursor = before
    isAtHead = true
    feed.add(head)
    return true
  }
  const advance = async (): Promise<'joined' | 'more' | 'wait' | 'complete'> => {
    const before = feed.cursor()
    if (isFromNow) {
      if (!join(before)) return 'wait'
      isFromNow = false
      sendCursor()
      return isFollowing ? 'joined' : 'complete'
    }
    const recent = cursor === undefined ? undefined : feed.after(cursor)
    if (recent !== undefined && isFollowing) {
      for (const batch of recent) {
        if (sink.writableNeedDrain) return 'more'
        sendBatch(batch)
      }
      return join(before) ? 'joined' : 'wait'
    }
    const events = await read(cursor, PAGE_EVENTS)
    if (ending.signal.aborted) return 'complete'
    send(events)
    if (events.length === PAGE_EVENTS) return 'more'
    if (!isFollowing && before !== undefined) return 'complete'
    return join(before) ? 'joined' : 'wait'
  }
  const catchUp = async () => {
    if (isCatchingUp || isAtHead) return
    isCatchingUp = true
    while (!ending.signal.aborted && !sink.writableNeedDrain) {
      const result = await advance().catch(() => 'wait' as const)
      if (result === 'joined') break
      if (result === 'complete') end('complete')
      if (result === 'wait') await pause(POLL_MS, ending.signal)
    }
    isCatchingUp = false
  }
  const end = (reason: EndReason) => {
    if (ending.signal.aborted) return
    ending.abort()
    feed.remove(head)
    if (reason === 'stalled') sink.destroy()
    else sink.end()
    haveEnded(reason)
  }

  sink.on('drain', () => {
    fullMs = undefined
    void catchUp()
  })
  write(Buffer.from(`retry: ${RETRY_MS}\n\n`))
  void catchUp()

  return {
    tick(nowMs) {
      if (fullMs !== undefined) return nowMs - fullMs > STALLED_MS ? 'stalled' : 'alive'
      if (nowMs - writtenMs >= HEARTBEAT_MS && !sendCursor()) write(COMMENT)
      return 'alive'
    },
    end,
    ended,
  }
}

function printBatch(events: readonly Event[], filter: EventFilter): PrintedBatch {
  const passed = events.filter(filter.passes)
  const last = passed.at(-1)
  return {
    bytes: Buffer.from(passed.map(printEvent).join('')),
    count: passed.length,
    lastId: last === undefined ? '' : printCursor(last.cursor),
  }
}
