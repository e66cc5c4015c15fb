import { defineError } from '../../platform/errors.ts'

export const AccountFormatFrozen = defineError(
  'account.format_frozen',
  409,
  'The format of the account is frozen',
  () => 'The frame rate and the segment length can only change before the first asset is packaged.',
)
