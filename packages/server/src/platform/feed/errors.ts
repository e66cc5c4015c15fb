import { defineError } from '../errors.ts'

export const FeedUnavailable = defineError(
  'feed.unavailable',
  503,
  'The feed to the playout nodes is not there',
  (cause?: unknown) => ({
    detail: 'The playout nodes cannot be told now, so nothing on the air is changed. Try again shortly.',
    options: { retryAfterSeconds: 1, ...(cause === undefined ? {} : { cause }) },
  }),
)
