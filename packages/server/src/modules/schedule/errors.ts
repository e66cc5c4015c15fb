import { defineError } from '../../platform/errors.ts'

export { FeedUnavailable } from '../../platform/feed/errors.ts'

export const FillNotReady = defineError(
  'channel.slate_not_ready',
  409,
  'The rescue slate is not ready',
  () => 'The rescue slate of the channel is being packaged. Try again in a minute.',
)
export const ScheduleTooLate = defineError(
  'schedule.too_late',
  422,
  'The program starts too soon',
  () => 'A program must be handed over at least 60 seconds before its start_time.',
)
export const ScheduleTooLong = defineError(
  'schedule.too_long',
  422,
  'The items are longer than their window',
  (overMs: number) =>
    `The items last ${overMs / 1_000} seconds longer than the window: lengthen it, or leave some out.`,
)
export const ScheduleOverlap = defineError(
  'schedule.overlap',
  409,
  'The window is taken',
  (startTime: string, endTime: string) =>
    `The channel has a program from ${startTime} to ${endTime}. A request replaces only one of the same source_id and start_time.`,
)
