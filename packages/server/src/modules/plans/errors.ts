import type { Fault } from '@continuity/core/rules/read-fields'
import { defineError } from '../../platform/errors.ts'

export const PlanRangeInvalid = defineError(
  'plan.range_invalid',
  400,
  'The times are not a valid range',
  (detail: string) => detail,
)
export const PlanNotFound = defineError(
  'plan.not_found',
  404,
  'Plan not found',
  () => 'The channel has no rules. PUT them at this path.',
)
export const PlanInvalid = defineError(
  'plan.invalid',
  422,
  'The rules are not valid',
  (faults: readonly Fault[], under: string) => ({
    detail: `${under}${faults[0]!.pointer} ${faults[0]!.message}`,
    options: {
      faults: faults.map(({ pointer, message }) => ({
        pointer: `${under}${pointer}`,
        code: 'invalid',
        message,
      })),
    },
  }),
)
export const PlanBusy = defineError(
  'plan.busy',
  429,
  'Too many previews at once',
  () => 'Previews of other callers are being computed. Try again in a few seconds.',
)
