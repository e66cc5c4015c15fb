import { defineError } from '../../platform/errors.ts'

export const CursorInvalid = defineError(
  'event.cursor_invalid',
  400,
  'Last-Event-ID is no id of an event',
  () => 'Send the id of the last event that was received as Last-Event-ID, or leave the header out.',
)
export const KindUnknown = defineError(
  'event.kind_unknown',
  400,
  'There are no events of this kind',
  (name: string) => `There are no events of kind ${name}. The reference lists all kinds.`,
)
export const TooManyStreams = defineError(
  'event.too_many_streams',
  429,
  'The account follows its events too many times at once',
  (most: number) => ({
    detail: `An account has at most ${most} streams of events at once here. Close one, or try again later.`,
    options: { retryAfterSeconds: 30 },
  }),
)
