import { defineError } from '../../platform/errors.ts'
import { AUDIENCE_CHANNELS } from './import-limits.ts'

export const TooManyChannels = defineError(
  'audience.too_many_channels',
  422,
  'The lines are of too many channels',
  (count: number) =>
    `The lines are of ${count} channels; at most ${AUDIENCE_CHANNELS} can be imported at once.`,
)
export const ImportBusy = defineError(
  'audience.import_busy',
  429,
  'Lines of this account are being imported',
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
    detail: 'The API does not know the key that nodes sign viewing sessions with: VIEWING_KEY is not set.',
    options: { retryAfterSeconds: 3_600 },
  }),
)
