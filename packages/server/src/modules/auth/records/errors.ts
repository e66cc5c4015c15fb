import { defineError } from '../../../platform/errors.ts'
import type { PasswordFault } from '../passwords/password-rules.ts'

export const SessionRejected = defineError(
  'session.refused',
  401,
  'The login was rejected',
  () => 'The credentials are wrong. The response does not state which part.',
)
export const SessionEnded = defineError(
  'session.ended',
  401,
  'The session has ended',
  () => 'This refresh credential is no longer valid. Log in again.',
)
export const TooManyTries = defineError(
  'session.too_many_tries',
  429,
  'Too many attempts',
  (retryAfterSeconds: number) => ({
    detail: `There were too many attempts. Try again in ${retryAfterSeconds} s.`,
    options: { retryAfterSeconds },
  }),
)
export const UserNotFound = defineError(
  'user.not_found',
  404,
  'User not found',
  (id: string) => `There is no user ${id}.`,
)
export const UserExists = defineError(
  'user.exists',
  409,
  'Another user has this e-mail',
  () => 'A user of this account already has this e-mail.',
)
export const LastAdministrator = defineError(
  'user.last_admin',
  409,
  'The account would have no administrator',
  () => 'This is the last active user with ROLE_ADMIN. Give the role to another one first.',
)
export const PasswordRejected = defineError(
  'password.refused',
  422,
  'The password does not meet the rules',
  (fault: PasswordFault) => passwordFaults[fault],
)
export const AppKeyNotFound = defineError(
  'app_key.not_found',
  404,
  'App key not found',
  (id: string) => `There is no app key ${id}.`,
)

const passwordFaults: Readonly<Record<PasswordFault, string>> = {
  too_short: 'The password is too short: 8 characters at least.',
  too_long: 'The password is too long: 1,024 characters at most.',
  is_a_name: 'The password must not be the e-mail or the account name.',
}
