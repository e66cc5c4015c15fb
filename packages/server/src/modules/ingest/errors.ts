import { defineError } from '../../platform/errors.ts'

export const RequestNotFound = defineError(
  'request.not_found',
  404,
  'Request not found',
  () => 'There is no request with this id.',
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
    `The items last ${overMs / 1_000} seconds longer than schedule.duration_ms: lengthen it, or leave some out.`,
)
export const ScheduleOverlap = defineError(
  'schedule.overlap',
  409,
  'The window is taken',
  (startTime: string, endTime: string) =>
    `The channel has a program from ${startTime} to ${endTime}. A program replaces only one of the same source_id and start_time.`,
)
