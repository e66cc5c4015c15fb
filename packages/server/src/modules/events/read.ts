import type { Db, Transaction } from '../../platform/database/database.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import {
  type EventCursor,
  type EventRow,
  findPositionFrom,
  readEpoch,
  readNewestPosition,
  selectEvents,
  selectHead,
} from './store.ts'

export type { EventCursor }

export interface Event {
  readonly eventId: string
  readonly atMs: number
  readonly kind: string
  readonly subjectType: string
  readonly subjectId: string
  readonly data: unknown
  /** Reading after it goes on with the next event. */
  readonly cursor: EventCursor
}

/**
 * The next events of an account: from the oldest that is kept, or from after
 * the cursor of one that was read before. A cursor from before a restore of the
 * database begins with the oldest again.
 *
 * Who reads on meets every event once, whatever transactions race, and those of
 * one record in the order in which it changed. The price is that an event is
 * held back while a transaction runs that may still write an earlier one, so a
 * transaction that writes and then idles holds up everybody who follows.
 */
export async function readEvents(
  db: Db,
  accountId: string,
  after: EventCursor | undefined,
  limit: number,
): Promise<readonly Event[]> {
  const { epoch, isOrdering } = await readEpoch(db)
  // A reader that went on now would miss those that come to lie before the ones it has read.
  if (isOrdering) return []
  const rows = await selectEvents(db, accountId, after?.epoch === epoch ? after : undefined, limit).execute()
  return rows.map((row) => eventOf(row, epoch))
}

/** The cursor of the newest event that `readEvents` would give; undefined while restored events are being put in order. */
export async function findHead(db: Db, accountId: string): Promise<EventCursor | undefined> {
  const { epoch, isOrdering } = await readEpoch(db)
  if (isOrdering) return undefined
  const newest = await selectHead(db, accountId).executeTakeFirst()
  return { epoch, horizon: newest?.horizon ?? 0, number: newest?.number ?? 0 }
}

/** After it come the events that are recorded once the caller's transaction has ended. */
export async function readCursorNow(tx: Transaction): Promise<EventCursor> {
  const { epoch } = await readEpoch(tx)
  return { epoch, ...(await readNewestPosition(tx)) }
}

/** Longer than a transaction lasts, and so than an event can take from its time to its place in the order. */
const LATEST_MS = 60_000

/** After it come all events from a time on, and some before; undefined where there are none. */
export async function findCursorBefore(
  db: Db,
  accountId: string,
  fromMs: number,
): Promise<EventCursor | undefined> {
  const { epoch } = await readEpoch(db)
  const first = await findPositionFrom(db, accountId, lowestIdAt(Math.max(0, fromMs - LATEST_MS)))
  return first && { epoch, horizon: first.horizon, number: first.number - 1 }
}

function eventOf(row: EventRow, epoch: number): Event {
  return {
    eventId: row.event_id,
    atMs: row.at_ms,
    kind: row.kind,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    data: row.data,
    cursor: { epoch, horizon: row.horizon, number: row.number },
  }
}
