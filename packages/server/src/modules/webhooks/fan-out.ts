import { followsKind } from '@continuity/core/webhooks/kind-filter'
import type { Transaction } from '../../platform/database/database.ts'
import { type Event, readEvents } from '../events/read.ts'
import { bodyOf } from './delivery-body.ts'
import {
  countPending,
  insertDeliveries,
  listKnown,
  listWaitingSubjects,
  type NewDelivery,
} from './delivery-store.ts'
import { lockProgress, type Progress, updateProgress, type WebhookKey } from './progress-store.ts'
import { findWebhook } from './store.ts'

/** Events read per query. */
const BATCH = 200

/**
 * Maximum pending deliveries of one webhook. Further events stay in the outbox, so that the cost of an endpoint that
 * accepts nothing is bounded.
 */
export const PENDING_MAXIMUM = 5_000

export type FanOut = 'lost' | 'full' | 'more' | 'all'

/**
 * Turns the next events into deliveries and moves the cursor in one transaction, so that a crash of the worker neither
 * loses nor duplicates any. Each event is read once for each webhook, whether its kind is followed or not.
 */
export async function fanOut(
  tx: Transaction,
  key: WebhookKey,
  lease: string,
  nowMs: number,
): Promise<FanOut> {
  const progress = await lockProgress(tx, key)
  if (progress === undefined || !progress.isActive || progress.lease !== lease) return 'lost'
  const events = await readEvents(tx, key.accountId, progress.cursor, BATCH)
  if (events.length === 0) return 'all'
  // After the events: one that was recorded after a change of the kinds is passed over for good if it meets the old ones.
  const webhook = await findWebhook(tx, key.accountId, key.webhookId)
  if (webhook === undefined) return 'lost'
  const followed = events.filter(
    ({ kind, atMs }) => atMs >= progress.fromMs && followsKind(webhook.kinds, kind),
  )
  if (followed.length > 0 && (await countPending(tx, webhook, PENDING_MAXIMUM)) === PENDING_MAXIMUM)
    return 'full'
  const deliveries = await deliveriesOf(tx, webhook, progress, followed, nowMs)
  await insertDeliveries(tx, webhook, deliveries)
  await updateProgress(tx, webhook, {
    cursor: events.at(-1)!.cursor,
    last_position: progress.lastPosition + deliveries.length,
  })
  return events.length === BATCH ? 'more' : 'all'
}

/** The first delivery of a subject with none pending is ready now; the others wait for their predecessor. */
async function deliveriesOf(
  tx: Transaction,
  webhook: WebhookKey,
  { lastPosition, replays }: Progress,
  events: readonly Event[],
  nowMs: number,
): Promise<readonly NewDelivery[]> {
  if (events.length === 0) return []
  const eventIds = events.map(({ eventId }) => eventId)
  const known = await listKnown(tx, webhook, eventIds, replays)
  const fresh = events.filter(({ eventId }) => !known.has(eventId))
  if (fresh.length === 0) return []
  const waiting = new Set(await listWaitingSubjects(tx, webhook, [...new Set(fresh.map(subjectOf))]))
  return fresh.map((event, index) => {
    const subject = subjectOf(event)
    const isFirst = !waiting.has(subject)
    waiting.add(subject)
    return {
      eventId: event.eventId,
      position: lastPosition + index + 1,
      replays,
      kind: event.kind,
      subject,
      eventMs: event.atMs,
      body: bodyOf(event),
      readyMs: isFirst ? nowMs : null,
    }
  })
}

const subjectOf = ({ subjectType, subjectId }: Event): string => `${subjectType}/${subjectId}`
