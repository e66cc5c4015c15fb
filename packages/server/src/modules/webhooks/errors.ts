import { WEBHOOKS_MAXIMUM } from '@continuity/core/webhooks/limits'
import { defineError } from '../../platform/errors.ts'

export const WebhookNotFound = defineError(
  'webhook.not_found',
  404,
  'There is no such webhook',
  () => 'There is no webhook with this id.',
)
export const TooManyWebhooks = defineError(
  'webhook.too_many',
  422,
  'The account has as many webhooks as it may have',
  () => `An account has at most ${WEBHOOKS_MAXIMUM} webhooks.`,
)
export const WebhookPaused = defineError(
  'webhook.paused',
  409,
  'The webhook is paused',
  () => 'The webhook is PAUSED. Resume it first.',
)
export const ReplayRange = defineError('webhook.replay_range', 422, 'A replay begins in the past', () => ({
  detail: 'Events from a time in the future on cannot be sent again.',
  options: { faults: [{ pointer: '/from', code: 'range', message: 'must not be in the future' }] },
}))
export const AddressRefused = defineError(
  'webhook.address_refused',
  422,
  'Events cannot be sent to this address',
  (message: string) => ({
    detail: message,
    options: { faults: [{ pointer: '/url', code: 'address', message }] },
  }),
)
export const KeysMissing = defineError(
  'webhook.keys_missing',
  503,
  'Secrets of webhooks cannot be stored',
  () => ({
    detail: 'The platform has no keys to seal secrets with: SECRET_KEYS_FILE is not set.',
    options: { retryAfterSeconds: 3_600 },
  }),
)
