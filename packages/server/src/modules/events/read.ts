import { lowestIdAt } from '../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
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
  /** Reading after it continues with the next event. */
  readonly cursor: EventCursor
}

/**
 * The next events of an account: from the oldest stored one, or after a cursor. A cursor from before a restore of the
 * database starts with the oldest again.
 *
 * A reader receives every event once, whatever transactions race, and the events of one record in the order of its
 * changes. The price: an event is delayed while a transaction runs that may still write an earlier one, so a transaction
 * that writes and then idles delays all followers.
 */
export async function readEvents(
  db: Db,
  accountId: string,
  after: EventCursor | undefined,
  limit: number,
): Promise<readonly Event[]> {
  const { epoch, isOrdering } = await readEpoch(db)
  // Reading now would miss events that the reordering moves before those already read.
  if (isOrdering) return []
  const rows = await selectEvents(db, accountId, after?.epoch === epoch ? after : undefined, limit).execute()
  return rows.map((row) => eventOf(row, epoch))
}

/** The cursor of the newest event that `readEvents` would return; undefined while restored events are being reordered. */
export async function findHead(db: Db, accountId: string): Promise<EventCursor | undefined> {
  const { epoch, isOrdering } = await readEpoch(db)
  if (isOrdering) return undefined
  const newest = await selectHead(db, accountId).executeTakeFirst()
  return { epoch, horizon: newest?.horizon ?? 0, number: newest?.number ?? 0 }
}

/** A cursor before all events that are recorded after the caller's transaction has ended. */
export async function readCursorNow(tx: Transaction): Promise<EventCursor> {
  const { epoch } = await readEpoch(tx)
  return { epoch, ...(await readNewestPosition(tx)) }
}

/** Longer than any transaction lasts, and so longer than the delay between the time of an event and its horizon. */
const LATEST_MS = 60_000

/** A cursor before all events since a time, and before some earlier ones; undefined if there are no such events. */
export async function findCursorBefore(
  db: Db,
  accountId: string,
  fromMs: number,
): Promise<EventCursor | undefined> {
  const { epoch } = await readEpoch(db)
  const first = await findPositionFrom(
    db,
    accountId,
    lowestIdAt(Math.max(0, fromMs - LATEST_MS)),
    2 * LATEST_MS,
  )
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
