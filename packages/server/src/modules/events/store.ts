import { type Generated, type Selectable, sql } from 'kysely'
import { lowestIdAt } from '../../platform/crypto/ids.ts'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'

interface EventTable {
  account_id: string
  event_id: string
  number: Generated<number>
  horizon: Generated<number>
  at_ms: number
  kind: string
  subject_type: string
  subject_id: string
  data: unknown
}

/** An event as it is read; its account is the reader's. */
export type EventRow = Omit<Selectable<EventTable>, 'account_id'>

const on = tables<{ events: EventTable }>()

export interface NewEvent {
  readonly kind: string
  readonly subjectType: string
  readonly subjectId: string
  readonly data: unknown
  readonly accountId: string
  readonly eventId: string
  readonly atMs: number
}

export const insertEvent = (tx: Transaction, event: NewEvent) =>
  on(tx)
    .insertInto('events')
    .values({
      account_id: event.accountId,
      event_id: event.eventId,
      at_ms: event.atMs,
      kind: event.kind,
      subject_type: event.subjectType,
      subject_id: event.subjectId,
      data: JSON.stringify(event.data),
    })

/** How far a follower has read. */
export interface EventCursor {
  /** The epoch of the feed. After a restore the numbers below mean other events, and a follower starts with the oldest again. */
  readonly epoch: number
  readonly horizon: number
  readonly number: number
}

/**
 * The events after a cursor, up to the point where no event can still be inserted between them.
 * The bound and the rows are of one snapshot: every transaction below the
 * bound has ended in it, and its rows are visible.
 */
export function selectEvents(
  db: Db,
  accountId: string,
  after: Pick<EventCursor, 'horizon' | 'number'> | undefined,
  limit: number,
) {
  const { horizon, number } = after ?? { horizon: 0, number: 0 }
  return on(db)
    .selectFrom('events')
    .select(['event_id', 'number', 'horizon', 'at_ms', 'kind', 'subject_type', 'subject_id', 'data'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(horizon, number) > (${horizon}, ${number})`)
    .where('horizon', '<=', sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)
    .orderBy('horizon')
    .orderBy('number')
    .limit(limit)
}

/** The newest event that can be read. */
export function selectHead(db: Db, accountId: string) {
  return on(db)
    .selectFrom('events')
    .select(['horizon', 'number'])
    .where('account_id', '=', accountId)
    .where('horizon', '<=', sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)
    .orderBy('horizon', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
}

/** The position of the caller's transaction: all events recorded before it sort below. */
export async function readNewestPosition(tx: Transaction): Promise<Pick<EventCursor, 'horizon' | 'number'>> {
  const { rows } = await sql<{ horizon: number }>`
    select pg_current_xact_id()::text::bigint as horizon`.execute(tx)
  return { horizon: rows[0]!.horizon, number: LAST_NUMBER }
}

/** Above all event numbers, and still an exact integer. */
const LAST_NUMBER = Number.MAX_SAFE_INTEGER

/**
 * The first position, in the order of delivery, of the events with ids from `firstId` on. Ids and positions are ordered
 * differently within `spreadMs`: by random bits in one millisecond, and by the order of commits beyond it.
 */
export async function findPositionFrom(
  db: Db,
  accountId: string,
  firstId: string,
  spreadMs: number,
): Promise<Pick<EventCursor, 'horizon' | 'number'> | undefined> {
  const oldest = await on(db)
    .selectFrom('events')
    .select('at_ms')
    .where('account_id', '=', accountId)
    .where('event_id', '>=', firstId)
    .orderBy('event_id')
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return undefined
  // Materialized: by the index on positions it would read every event from the oldest stored one on.
  const { rows } = await sql<Pick<EventCursor, 'horizon' | 'number'>>`
    with near as materialized (
      select horizon, number from events
       where account_id = ${accountId} and event_id >= ${firstId} and event_id < ${lowestIdAt(oldest.at_ms + spreadMs)}
    )
    select horizon, number from near order by horizon, number limit 1`.execute(db)
  return rows[0]
}

export interface EventEpoch {
  /** The epoch of the feed; a restore of the database begins a new one. */
  readonly epoch: number
  /** Whether restored events are still being reordered. */
  readonly isOrdering: boolean
}

export async function readEpoch(db: Db): Promise<EventEpoch> {
  const { rows } = await sql<EventEpoch>`
    select epoch, events_until is not null as "isOrdering" from feed_epoch`.execute(db)
  return rows[0]!
}

export async function purgeEventsBefore(db: Db, beforeMs: number, most: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`select forget_events(${beforeMs}, ${most}) as gone`.execute(db)
  return rows[0]!.gone
}
