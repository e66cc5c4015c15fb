import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { ids, pageExample } from '../definition/examples.ts'
import { markPaging } from '../schemas/page.ts'
import { id } from '../schemas/scalars.ts'
import { oneOf, shape } from '../schemas/shape.ts'
import {
  deliveryStates,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookDeliveryPage,
  WebhookDraft,
  WebhookPage,
  WebhookReplay,
  WebhookTest,
  WebhookWithSecret,
} from '../schemas/webhook.ts'

const common = { version: '2.3', group: 'Webhooks', access: ['ROLE_ADMIN'], ours: true } as const
const one = { params: shape({ webhook_id: id('Id of the webhook.') }) }
const path = '/webhooks/{webhook_id}'
const answer = { status: 200, description: 'The webhook.', schema: Webhook } as const
const notFound = { 'webhook.not_found': 404 } as const
const stale = { 'record.changed': 412 } as const
const address = { 'webhook.address_refused': 422 } as const
const keysMissing = { 'webhook.keys_missing': 503 } as const

const at = '2026-03-01T18:00:00.000Z'
const eventId = '0195c1de-6f00-7a10-8000-000000002001'
const secret = 'whsec_dGhpcyBpcyBhbiBleGFtcGxlLCBub3QgYSBzZWNyZXQ='
const exampleWebhook = {
  webhook_id: '0195c1de-6f00-7a10-8000-000000002101',
  url: 'https://hooks.north.example/continuity',
  description: 'Playout desk',
  kinds: ['channel.*', 'alert.opened', 'alert.closed'],
  status: 'ACTIVE',
  status_reason: null,
  status_at: at,
  failing_since: null,
  previous_secret_until: null,
  created_date: at,
  created_user_id: ids.user,
  last_updated: at,
  last_modified_user_id: ids.user,
}

export const listWebhooks = endpoint({
  ...common,
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  query: shape({ ...markPaging }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of webhooks.', schema: WebhookPage },
  errors: { 'page.mark_invalid': 400 },
  example: { answer: pageExample(exampleWebhook) },
})
export const createWebhook = endpoint({
  ...common,
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Make a webhook',
  description: 'It gets the events from now on. Its secret is in this answer, and in no other.',
  body: WebhookDraft,
  idempotencyKey: true,
  answer: { status: 201, description: 'The webhook, with its secret.', schema: WebhookWithSecret },
  errors: { ...address, ...keysMissing, 'webhook.too_many': 422 },
  example: {
    body: {
      url: exampleWebhook.url,
      description: exampleWebhook.description,
      kinds: exampleWebhook.kinds,
    },
    answer: { ...exampleWebhook, secret },
  },
})
export const getWebhook = endpoint({
  ...common,
  ...one,
  id: 'getWebhook',
  method: 'GET',
  path,
  summary: 'Read one webhook',
  answer,
  errors: notFound,
  example: { answer: exampleWebhook },
})
export const changeWebhook = endpoint({
  ...common,
  ...one,
  id: 'changeWebhook',
  method: 'PATCH',
  path,
  summary: 'Change, pause or resume a webhook',
  description:
    'When resumed, it continues with the event at which it was paused; events are kept for 7 days.',
  body: WebhookChange,
  answer,
  errors: { ...notFound, ...stale, ...address },
  example: {
    body: { status: 'PAUSED' },
    answer: { ...exampleWebhook, status: 'PAUSED', status_reason: 'USER' },
  },
})
export const deleteWebhook = endpoint({
  ...common,
  ...one,
  id: 'deleteWebhook',
  method: 'DELETE',
  path,
  summary: 'Delete a webhook',
  answer: { status: 204, description: 'It is gone.' },
  errors: { ...notFound, ...stale },
  example: {},
})
export const rotateWebhookSecret = endpoint({
  ...common,
  ...one,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${path}/rotate_secret`,
  summary: 'Give a webhook a new secret',
  description:
    'Deliveries are signed with both secrets until the previous one is no longer valid. One that is older still is ' +
    'dropped at once.',
  body: SecretRotation,
  bodyOptional: true,
  idempotencyKey: true,
  answer: { status: 200, description: 'The webhook, with its new secret.', schema: WebhookWithSecret },
  errors: { ...notFound, ...keysMissing },
  example: {
    body: { previous_valid_s: 86_400 },
    answer: { ...exampleWebhook, previous_secret_until: '2026-03-02T18:00:00.000Z', secret },
  },
})
export const testWebhook = endpoint({
  ...common,
  ...one,
  id: 'testWebhook',
  method: 'POST',
  path: `${path}/test`,
  summary: 'Send a test delivery',
  description:
    'Of the kind `webhook.test`, whatever kinds the webhook follows. Its result is among the deliveries.',
  idempotencyKey: true,
  answer: { status: 202, description: 'It will be sent.', schema: WebhookTest },
  errors: { ...notFound, 'webhook.paused': 409 },
  example: { answer: { event_id: eventId } },
})
export const replayWebhook = endpoint({
  ...common,
  ...one,
  id: 'replayWebhook',
  method: 'POST',
  path: `${path}/replay`,
  summary: 'Send events again',
  description: 'Everything from a time on that the webhook follows today, under the same ids as before.',
  body: WebhookReplay,
  idempotencyKey: true,
  answer: { status: 202, description: 'They will be sent.', schema: WebhookReplay },
  errors: { ...notFound, 'webhook.replay_range': 422 },
  example: { body: { from: at }, answer: { from: at } },
})
export const listWebhookDeliveries = endpoint({
  ...common,
  ...one,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: `${path}/deliveries`,
  summary: 'What was sent to a webhook and what it answered, newest event first',
  description: 'Kept for 7 days after a delivery has ended.',
  query: shape({
    state: Type.Optional(oneOf(deliveryStates, { description: 'Only deliveries of this state.' })),
    ...markPaging,
  }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of deliveries.', schema: WebhookDeliveryPage },
  errors: { ...notFound, 'page.mark_invalid': 400 },
  example: {
    answer: pageExample({
      event_id: eventId,
      kind: 'webhook.test',
      state: 'DELIVERED',
      attempts: 1,
      next_attempt_at: null,
      request: {
        url: exampleWebhook.url,
        body: `{"type":"webhook.test","timestamp":"${at}","data":{}}`,
      },
      response: { at, duration_ms: 84, status: 200, error: null, body: 'ok' },
    }),
  },
})
