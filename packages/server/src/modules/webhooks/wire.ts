import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { DeliveryRow } from './delivery-store.ts'
import { secretText } from './signature.ts'
import type { Webhook, WebhookChanges } from './store.ts'

export type WireWebhook = AnswerOf<Operations['getWebhook']>
type WireDelivery = AnswerOf<Operations['listWebhookDeliveries']>['hits'][number]

/** The record as it is audited: without the delivery state. */
export const toWireRecord = (webhook: Webhook): Omit<WireWebhook, 'failing_since'> => ({
  webhook_id: webhook.webhookId,
  url: webhook.url,
  description: webhook.description,
  kinds: [...webhook.kinds],
  status: webhook.status,
  status_reason: webhook.statusReason,
  status_at: timeOf(webhook.statusMs),
  previous_secret_until: timeOrNull(webhook.previousSecretUntilMs),
  created_date: timeOf(webhook.createdMs),
  created_user_id: webhook.createdUserId,
  last_updated: timeOf(webhook.updatedMs),
  last_modified_user_id: webhook.updatedUserId,
})

export const toWireWebhook = (webhook: Webhook, failingSinceMs: number | undefined): WireWebhook => ({
  ...toWireRecord(webhook),
  failing_since: timeOrNull(failingSinceMs ?? null),
})

export const toWireWithSecret = (webhook: Webhook, failingSinceMs: number | undefined, secret: Buffer) => ({
  ...toWireWebhook(webhook, failingSinceMs),
  secret: secretText(secret),
})

export const toWireDelivery = (row: DeliveryRow): WireDelivery => ({
  event_id: row.event_id,
  kind: row.kind,
  state: row.state,
  attempts: row.attempts,
  next_attempt_at: timeOrNull(row.ready_ms),
  request: { url: row.attempt_url, body: row.body },
  response:
    row.attempt_ms === null
      ? null
      : {
          at: timeOf(row.attempt_ms),
          duration_ms: row.duration_ms ?? 0,
          status: row.response_status,
          error: row.error_code,
          body: row.response_body ?? '',
        },
})

/** Only the fields that were sent. */
export function readChanges(body: BodyOf<Operations['changeWebhook']>): WebhookChanges {
  const { previous_secret_until: until, ...changes } = body
  if (until === undefined) return changes
  return { ...changes, previousSecretUntilMs: until === null ? null : Date.parse(until) }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()
const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms))
