import { defineError } from '../../platform/errors.ts'

export const CursorInvalid = defineError(
  'event.cursor_invalid',
  400,
  'Last-Event-ID is not the id of an event',
  () => 'Send the id of the last event that was received as Last-Event-ID, or leave the header out.',
)
export const KindUnknown = defineError(
  'event.kind_unknown',
  400,
  'Unknown kind of event',
  (name: string) => `There are no events of kind ${name}. The reference lists all kinds.`,
)
export const TooManyStreams = defineError(
  'event.too_many_streams',
  429,
  'Too many open event streams for this account',
  (most: number) => ({
    detail: `An account may have at most ${most} event streams open per process. Close one, or try again later.`,
    options: { retryAfterSeconds: 30 },
  }),
)
