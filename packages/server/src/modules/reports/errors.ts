import { defineError } from '../../platform/errors.ts'

export const RangeInvalid = defineError(
  'report.range_invalid',
  400,
  'The days of the report are not a valid range',
  (detail: string) => detail,
)
export const TooManyReports = defineError(
  'report.too_many',
  429,
  'The account reads too many reports at once',
  (most: number) => ({
    detail: `An account reads at most ${most} reports at once here. Wait until one has ended.`,
    options: { retryAfterSeconds: 5 },
  }),
)
