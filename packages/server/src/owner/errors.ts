import { defineError } from '../platform/errors.ts'

/** Refusals that only the owner's commands meet; none of them is on the wire. */
export const AccountNotFound = defineError(
  'account.not_found',
  404,
  'There is no such account',
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
  'The name cannot be taken',
  (name: string) =>
    `"${name}" cannot be the name of an account: lower-case letters, digits and dashes, 63 at most, and no dash first.`,
)
