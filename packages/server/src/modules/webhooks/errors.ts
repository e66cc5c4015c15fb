import { WEBHOOKS_MAXIMUM } from '@continuity/core/webhooks/limits'
import { defineError } from '../../platform/errors.ts'

export const WebhookNotFound = defineError(
  'webhook.not_found',
  404,
  'Webhook not found',
  () => 'There is no webhook with this id.',
)
export const TooManyWebhooks = defineError(
  'webhook.too_many',
  422,
  'Too many webhooks',
  () => `An account may have at most ${WEBHOOKS_MAXIMUM} webhooks.`,
)
export const WebhookPaused = defineError(
  'webhook.paused',
  409,
  'The webhook is paused',
  () => 'The webhook is PAUSED. Resume it first.',
)
export const ReplayRange = defineError(
  'webhook.replay_range',
  422,
  'A replay must start in the past',
  () => ({
    detail: 'The start of a replay must not be in the future.',
    options: { faults: [{ pointer: '/from', code: 'range', message: 'must not be in the future' }] },
  }),
)
export const AddressRejected = defineError(
  'webhook.address_refused',
  422,
  'Invalid webhook address',
  (message: string) => ({
    detail: message,
    options: { faults: [{ pointer: '/url', code: 'address', message }] },
  }),
)
export const KeysMissing = defineError(
  'webhook.keys_missing',
  503,
  'Webhook secrets cannot be stored',
  () => ({
    detail: 'The platform has no keys to encrypt secrets with: SECRET_KEYS_FILE is not set.',
    options: { retryAfterSeconds: 3_600 },
  }),
)
