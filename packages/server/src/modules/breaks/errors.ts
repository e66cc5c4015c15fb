import { defineError } from '../../platform/errors.ts'

export const BreakOpen = defineError(
  'ad_break.open',
  409,
  'The source has an open ad break',
  () => 'An ad break is open on the source. End it, or wait until it is over.',
)
export const BreakNotOpen = defineError(
  'ad_break.not_open',
  409,
  'The source has no open ad break',
  () => 'There is no open ad break on the source.',
)
