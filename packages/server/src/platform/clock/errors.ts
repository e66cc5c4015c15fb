import { defineError } from '../errors.ts'

export const ClockWrong = defineError(
  'clock.wrong',
  503,
  'The clock of this process is wrong',
  (reason: string) => ({
    detail: `Writes are rejected while the clock of this process is wrong: ${reason}. Try again shortly.`,
    options: { retryAfterSeconds: 1 },
  }),
)
