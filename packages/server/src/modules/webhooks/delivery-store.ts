import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import { TEST_KIND } from './delivery-body.ts'
import type { WebhookKey } from './progress-store.ts'

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED'

/** A delivery to be sent. */
export interface PendingDelivery {
  readonly eventId: string
  /** Another one after a replay: the outcome of an attempt from before it must not end the new delivery. */
  readonly position: number
  readonly body: string
  readonly attempts: number
  readonly firstAttemptMs: number | null
}

export interface NewDelivery {
  readonly eventId: string
  readonly position: number
  readonly replays: number
  readonly kind: string
  readonly subject: string
  readonly eventMs: number
  readonly body: string
  /** Null while an earlier one of its subject is pending. */
  readonly readyMs: number | null
}

/** The result of an attempt. */
export interface Attempt {
  readonly atMs: number
  readonly url: string
  readonly durationMs: number
  readonly status: number | null
  readonly errorCode: string | null
  readonly responseBody: string
}

interface DeliveryTable {
  account_id: string
  webhook_id: string
  event_id: string
  position: number
  replays: number
  kind: string
  subject: string
  event_ms: number
  body: string
  state: DeliveryState
  attempts: number
  ready_ms: number | null
  first_attempt_ms: number | null
  attempt_ms: number | null
  attempt_url: string | null
  duration_ms: number | null
  response_status: number | null
  response_body: string | null
  error_code: string | null
  ended_ms: number | null
}

/** A delivery as it is listed. */
export type DeliveryRow = Omit<
  DeliveryTable,
  'account_id' | 'webhook_id' | 'position' | 'replays' | 'subject'
>

const on = tables<{ webhook_deliveries: DeliveryTable }>()

/** A row that exists from an earlier replay is reset. */
export async function insertDeliveries(
  tx: Transaction,
  { accountId, webhookId }: WebhookKey,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  const rows = deliveries.map((each) => ({
    account_id: accountId,
    webhook_id: webhookId,
    event_id: each.eventId,
    position: each.position,
    replays: each.replays,
    kind: each.kind,
    subject: each.subject,
    event_ms: each.eventMs,
    body: each.body,
    state: 'PENDING' as const,
    attempts: 0,
    ready_ms: each.readyMs,
  }))
  await on(tx)
    .insertInto('webhook_deliveries')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'webhook_id', 'event_id']).doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        replays: ref('excluded.replays'),
        body: ref('excluded.body'),
        ready_ms: ref('excluded.ready_ms'),
        state: 'PENDING',
        attempts: 0,
        first_attempt_ms: null,
        attempt_ms: null,
        attempt_url: null,
        duration_ms: null,
        response_status: null,
        response_body: null,
        error_code: null,
        ended_ms: null,
      })),
    )
    .execute()
}

/** Which of these events already have a delivery since the last replay. */
export async function listKnown(
  tx: Transaction,
  key: WebhookKey,
  eventIds: readonly string[],
  replays: number,
): Promise<ReadonlySet<string>> {
  const rows = await of(tx, key)
    .select('event_id')
    .where('event_id', 'in', eventIds)
    .where('replays', '>=', replays)
    .execute()
  return new Set(rows.map(({ event_id }) => event_id))
}

/** Which of these subjects have a pending delivery. */
export async function listWaitingSubjects(
  tx: Transaction,
  key: WebhookKey,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await of(tx, key)
    .select('subject')
    .distinct()
    .where('subject', 'in', subjects)
    .where('state', '=', 'PENDING')
    .execute()
  return new Set(rows.map(({ subject }) => subject))
}

/** The number of pending deliveries, counted up to `most`. */
export async function countPending(tx: Transaction, { accountId, webhookId }: WebhookKey, most: number) {
  const { rows } = await sql<{ counted: number }>`
    select count(*)::integer as counted from (
      select from webhook_deliveries
       where account_id = ${accountId} and webhook_id = ${webhookId} and state = 'PENDING' limit ${most}) found
  `.execute(tx)
  return rows[0]!.counted
}

/** Deliveries that are ready now, the longest waiting first. */
export function selectReady(
  db: Db,
  key: WebhookKey,
  nowMs: number,
  inFlight: readonly string[],
  limit: number,
) {
  return of(db, key)
    .select(['event_id as eventId', 'position', 'body', 'attempts', 'first_attempt_ms as firstAttemptMs'])
    .where('state', '=', 'PENDING')
    .where('ready_ms', '<=', nowMs)
    .$if(inFlight.length > 0, (query) => query.where('event_id', 'not in', inFlight))
    .orderBy('ready_ms')
    .limit(limit)
}

/** When the next delivery is ready; null if none is pending. */
export async function findDueMs(db: Db, key: WebhookKey): Promise<number | null> {
  const row = await of(db, key)
    .select('ready_ms')
    .where('state', '=', 'PENDING')
    .where('ready_ms', 'is not', null)
    .orderBy('ready_ms')
    .limit(1)
    .executeTakeFirst()
  return row?.ready_ms ?? null
}

/**
 * Ends a pending delivery and makes the next one of its subject ready. Does nothing if it has already ended, or was made
 * again by a replay.
 */
export async function endDelivery(
  tx: Transaction,
  { accountId, webhookId }: WebhookKey,
  { eventId, position }: Pick<PendingDelivery, 'eventId' | 'position'>,
  state: 'DELIVERED' | 'FAILED',
  attempt: Attempt,
  nowMs: number,
): Promise<void> {
  await sql`
    with ended as (
      update webhook_deliveries
         set state = ${state}, attempts = attempts + 1, ready_ms = null, ended_ms = ${nowMs}, ${written(attempt)}
       where account_id = ${accountId} and webhook_id = ${webhookId} and event_id = ${eventId}
         and state = 'PENDING' and position = ${position}
      returning subject
    ), next as (
      select d.event_id from webhook_deliveries d, ended
       where d.account_id = ${accountId} and d.webhook_id = ${webhookId} and d.state = 'PENDING'
         and d.subject = ended.subject and d.event_id <> ${eventId}
       order by d.position limit 1
    )
    update webhook_deliveries d set ready_ms = ${nowMs}
      from next
     where d.account_id = ${accountId} and d.webhook_id = ${webhookId} and d.event_id = next.event_id`.execute(
    tx,
  )
}

/** Schedules a retry after a failed attempt. Does nothing if another worker has made an attempt meanwhile. */
export async function postponeDelivery(
  tx: Transaction,
  { accountId, webhookId }: WebhookKey,
  { eventId, position, attempts }: PendingDelivery,
  attempt: Attempt,
  readyMs: number,
): Promise<void> {
  await sql`
    update webhook_deliveries
       set attempts = attempts + 1, ready_ms = ${readyMs}, ${written(attempt)}
     where account_id = ${accountId} and webhook_id = ${webhookId} and event_id = ${eventId}
       and state = 'PENDING' and position = ${position} and attempts = ${attempts}`.execute(tx)
}

const written = ({ atMs, url, durationMs, status, errorCode, responseBody }: Attempt) => sql`
  first_attempt_ms = coalesce(first_attempt_ms, ${atMs}), attempt_ms = ${atMs}, attempt_url = ${url},
  duration_ms = ${durationMs}, response_status = ${status}, error_code = ${errorCode}, response_body = ${responseBody}`

/** Deletes pending deliveries of events since a time, before a replay recreates them; test deliveries stay. */
export async function deletePendingFrom(tx: Transaction, key: WebhookKey, fromMs: number): Promise<void> {
  await pendingOf(tx, key).where('event_ms', '>=', fromMs).where('kind', '<>', TEST_KIND).execute()
}

export async function deletePending(tx: Transaction, key: WebhookKey): Promise<void> {
  await pendingOf(tx, key).execute()
}

/** The first pending delivery of every subject becomes ready now, with another 24 hours. */
export async function restartPending(
  tx: Transaction,
  { accountId, webhookId }: WebhookKey,
  nowMs: number,
): Promise<void> {
  await sql`
    update webhook_deliveries d
       set first_attempt_ms = null, ready_ms = case when first.event_id is null then null else ${nowMs}::bigint end
      from webhook_deliveries p
      left join (
        select distinct on (subject) event_id from webhook_deliveries
         where account_id = ${accountId} and webhook_id = ${webhookId} and state = 'PENDING'
         order by subject, position) first on first.event_id = p.event_id
     where p.account_id = ${accountId} and p.webhook_id = ${webhookId} and p.state = 'PENDING'
       and d.account_id = p.account_id and d.webhook_id = p.webhook_id and d.event_id = p.event_id`.execute(
    tx,
  )
}

/** Newest event first, after `beforeId` if given. */
export function selectDeliveries(
  db: Db,
  key: WebhookKey,
  state: DeliveryState | undefined,
  beforeId: string | undefined,
  limit: number,
) {
  return matching(db, key, state)
    .$if(beforeId !== undefined, (query) => query.where('event_id', '<', beforeId!))
    .select(['event_id', 'kind', 'event_ms', 'body', 'state', 'attempts', 'ready_ms', 'first_attempt_ms'])
    .select(['attempt_ms', 'attempt_url', 'duration_ms', 'response_status', 'response_body', 'error_code'])
    .select('ended_ms')
    .orderBy('event_id', 'desc')
    .limit(limit)
}

/** The number of deliveries, counted up to `most`. */
export function countDeliveries(db: Db, key: WebhookKey, state: DeliveryState | undefined, most: number) {
  const found = matching(db, key, state).select('event_id').orderBy('event_id', 'desc').limit(most)
  return db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('counted'))
}

export async function purgeDeliveriesBefore(db: Db, beforeMs: number, most: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    select forget_webhook_deliveries(${beforeMs}, ${most}) as gone`.execute(db)
  return rows[0]!.gone
}

const matching = (db: Db, key: WebhookKey, state: DeliveryState | undefined) =>
  of(db, key).$if(state !== undefined, (query) => query.where('state', '=', state!))

const of = (db: Db, { accountId, webhookId }: WebhookKey) =>
  on(db)
    .selectFrom('webhook_deliveries')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)

const pendingOf = (tx: Transaction, { accountId, webhookId }: WebhookKey) =>
  on(tx)
    .deleteFrom('webhook_deliveries')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'PENDING')
