import type { AccountFeed, EventBatch, HeadFollower, PrintedBatch, ReadAfter } from './account-feed.ts'
import { POLL_MS, pause, sharedText } from './account-feed.ts'
import { isBehind, printCursor } from './cursor-text.ts'
import type { EventFilter } from './event-filter-wire.ts'
import type { Event } from './read.ts'
import type { EventCursor } from './store.ts'
import { printEvent } from './wire.ts'

/** Where bytes go: the answer of a request. */
export interface Sink {
  /** False when its buffer is full: what is written next waits for `drain`. */
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
  /** The last event that was received, the oldest that is kept, or what comes from now on. */
  readonly from: EventCursor | 'oldest' | 'now'
  /** False ends the stream after the newest event. */
  readonly isFollowing: boolean
  /** Events that were sent. */
  readonly onSent: (count: number) => void
}

export type EndReason = 'client' | 'complete' | 'credential' | 'stalled' | 'stopping'

export interface Follower {
  /** Writes a sign of life where nothing else was written lately, and returns whether the client has stopped reading. */
  tick(nowMs: number): 'alive' | 'stalled'
  end(reason: EndReason): void
  readonly ended: Promise<EndReason>
}

const HEARTBEAT_MS = 15_000
/** A client that takes nothing for so long is gone, or comes back with its cursor. */
const STALLED_MS = 60_000
/** Few enough that what waits for one client is small. */
const PAGE_EVENTS = 100
/** How long a client waits before it opens a stream again. */
const RETRY_MS = 1_000

const COMMENT = Buffer.from(':\n\n')

/**
 * One stream of events. At the head it is given what the feed of its account reads; a little behind it takes what the feed
 * has kept; else it reads by itself, from its own cursor on. While its client does not read it does neither, so that it costs one batch at most.
 */
export function startFollower(options: FollowerOptions): Follower {
  const { feed, read, filter, sink, isFollowing } = options
  const ending = new AbortController()
  const { promise: ended, resolve: haveEnded } = Promise.withResolvers<EndReason>()
  let cursor = typeof options.from === 'string' ? undefined : options.from
  let isFromNow = options.from === 'now'
  let sentId = '' // the last that the client was given
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
  /** An id without data is no event: it only moves the place that a client resumes from. */
  const sendPlace = () => {
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
    // It may have read further than the feed by itself.
    send(events.filter((event) => isBehind(event.cursor, at)))
  }
  const head: HeadFollower = {
    deliver(batch) {
      if (!sink.writableNeedDrain) return sendBatch(batch)
      isAtHead = false
      feed.remove(head)
    },
  }

  /** Joins the feed if it has read nothing since a time before our own last look. */
  const join = (before: EventCursor | undefined): boolean => {
    if (before === undefined || feed.cursor() !== before) return false
    // What was read since a restore is not sent again because the feed has not seen the restore yet.
    const isSameEpoch = cursor === undefined || cursor.epoch === before.epoch
    if (isSameEpoch && (cursor === undefined || isBehind(before, cursor))) cursor = before
    isAtHead = true
    feed.add(head)
    return true
  }
  const step = async (): Promise<'joined' | 'more' | 'wait' | 'complete'> => {
    const before = feed.cursor()
    if (isFromNow) {
      if (!join(before)) return 'wait'
      isFromNow = false
      sendPlace()
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
      const result = await step().catch(() => 'wait' as const)
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
      if (nowMs - writtenMs >= HEARTBEAT_MS && !sendPlace()) write(COMMENT)
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
