import { Type } from 'typebox'
import { countedPageOf, pageOf } from './page.ts'
import { address, count, seconds, text, timestamp } from './scalars.ts'
import { changeOf, named, nullable, oneOf, optional, shape } from './shape.ts'

const status = oneOf(['ACTIVE', 'PAUSED'], {
  description: 'A PAUSED webhook gets nothing, and loses nothing.',
})

const writable = {
  url: address('Address that events are sent to.'),
  description: text('Description, or empty.'),
  kinds: Type.Array(
    Type.String({
      pattern: '^(\\*|[a-z][a-z0-9_.]*\\*?)$',
      maxLength: 64,
      description: 'Such as `channel.started`, or with an asterisk at the end `channel.*` or `*`.',
    }),
    { minItems: 1, maxItems: 50, description: 'Kinds of events that are sent.' },
  ),
}

const webhook = {
  webhook_id: Type.String(),
  ...writable,
  status,
  status_reason: nullable(
    oneOf(['USER', 'GONE', 'FAILING'], {
      description: 'Why it is PAUSED: by a user, by a response 410, or after 24 hours of failures.',
    }),
  ),
  status_at: timestamp('Since when it has this status.'),
  failing_since: nullable(timestamp('When the failures began that no success has ended.')),
  previous_secret_until: nullable(
    timestamp('How long the previous secret signs as well; null for no longer.'),
  ),
  created_date: timestamp('When it was made.'),
  created_user_id: Type.String(),
  last_updated: timestamp('When it changed last.'),
  last_modified_user_id: Type.String(),
}

export const Webhook = named('Webhook', shape(webhook))
export const WebhookPage = pageOf('WebhookPage', Webhook)
export const WebhookWithSecret = named(
  'WebhookWithSecret',
  shape({ ...webhook, secret: Type.String({ description: '`whsec_…`, shown this once.' }) }),
)
export const WebhookDraft = named('WebhookDraft', shape({ ...optional(writable), url: writable.url }))
export const WebhookChange = named(
  'WebhookChange',
  changeOf({
    ...writable,
    status,
    previous_secret_until: webhook.previous_secret_until,
  }),
)
export const SecretRotation = named(
  'SecretRotation',
  shape({
    previous_valid_s: Type.Optional(
      seconds('How long the secret of today signs as well; a day where it is left out.'),
    ),
  }),
)
export const WebhookReplay = named(
  'WebhookReplay',
  shape({ from: timestamp('Events from this time on are sent again, as far as they are kept: 7 days.') }),
)
export const WebhookTest = named(
  'WebhookTest',
  shape({ event_id: Type.String({ description: 'Of the delivery; sent as `webhook-id`.' }) }),
)

export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED'] as const

const WebhookDelivery = named(
  'WebhookDelivery',
  shape({
    event_id: Type.String({ description: 'Sent as `webhook-id`.' }),
    kind: Type.String(),
    state: oneOf(deliveryStates, { description: 'FAILED: given up after 24 hours.' }),
    attempts: count('How often it was tried.'),
    next_attempt_at: nullable(
      timestamp(
        'When it is tried next; null where it has ended, or waits for an earlier event of its subject.',
      ),
    ),
    request: shape({
      url: nullable(Type.String({ description: 'Null before the first attempt.' })),
      body: Type.String(),
    }),
    response: nullable(
      shape({
        at: timestamp('When the last attempt was made.'),
        duration_ms: count('Milliseconds.'),
        status: nullable(Type.Integer({ description: 'Null where there was no response.' })),
        error: nullable(Type.String({ description: 'Why there was none, such as `fetch.timeout`.' })),
        body: Type.String({ description: 'Its first 2,048 bytes.' }),
      }),
    ),
  }),
)
export const WebhookDeliveryPage = countedPageOf('WebhookDeliveryPage', WebhookDelivery)
