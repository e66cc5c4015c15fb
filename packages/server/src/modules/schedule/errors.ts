import { defineError } from '../../platform/errors.ts'

export { FeedUnavailable } from '../../platform/feed/errors.ts'

export const FillNotReady = defineError(
  'channel.slate_not_ready',
  409,
  'The rescue slate is not ready',
  () => 'The rescue slate of the channel is being packaged. Try again in a minute.',
)
