import { defineError } from '../../platform/errors.ts'
import { AUDIENCE_CHANNELS } from './import-limits.ts'

export const TooManyChannels = defineError(
  'audience.too_many_channels',
  422,
  'Too many channels in one import',
  (count: number) =>
    `The lines are of ${count} channels; one request may contain at most ${AUDIENCE_CHANNELS}.`,
)
export const ImportBusy = defineError(
  'audience.import_busy',
  429,
  'Another import of this account is running',
  () => ({
    detail: 'Another request is importing lines of this account. Repeat the request when it is done.',
    options: { retryAfterSeconds: 1 },
  }),
)
export const ViewingKeyMissing = defineError(
  'audience.key_missing',
  503,
  'Access logs cannot be imported',
  () => ({
    detail: 'The API has no key to verify viewing sessions: VIEWING_KEY is not set.',
    options: { retryAfterSeconds: 3_600 },
  }),
)
