import { defineError } from '../errors.ts'

export const FeedUnavailable = defineError(
  'feed.unavailable',
  503,
  'The feed to the playout nodes is unavailable',
  (cause?: unknown) => ({
    detail:
      'The change could not be published to the playout nodes, so nothing on air has changed. Try again shortly.',
    options: { retryAfterSeconds: 1, ...(cause === undefined ? {} : { cause }) },
  }),
)
