import { defineError } from '../platform/errors.ts'

/** Errors of the owner's commands; none of them is on the wire. */
export const AccountNotFound = defineError(
  'account.not_found',
  404,
  'Account not found',
  (name: string) => `There is no account "${name}".`,
)
export const AccountExists = defineError(
  'account.exists',
  409,
  'Another account has this name',
  (name: string) => `There is an account "${name}" already.`,
)
export const AccountNameInvalid = defineError(
  'account.name_invalid',
  422,
  'The account name is invalid',
  (name: string) =>
    `"${name}" is not a valid account name: use lower-case letters, digits and dashes, 63 at most, not starting with a dash.`,
)
