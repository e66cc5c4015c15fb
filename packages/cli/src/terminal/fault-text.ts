import { isProblem, type ProblemError } from '@continuity/client/problem'
import { UsageFault } from './usage-fault.ts'

/** What to do about an error of the platform, by its code. Printed after its message. */
const advice: Readonly<Record<string, string>> = {
  'account.not_found': 'See "continuity accounts list".',
  'user.not_found': 'See "continuity users list --account NAME".',
  'user.exists': 'Change that user instead, with "continuity users roles" or "continuity users password".',
  'app_key.not_found': 'See "continuity app-keys list --account NAME".',
  'database.unavailable': 'Check that PostgreSQL is running and that DATABASE_OWNER_URL is its address.',
}

/** Errors of PostgreSQL and the network, by SQLSTATE or system error code. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at the address in DATABASE_OWNER_URL. Check that PostgreSQL is running.',
  ENOTFOUND: 'The host in DATABASE_OWNER_URL is unknown.',
  ETIMEDOUT: 'The host in DATABASE_OWNER_URL does not answer.',
  '28P01': 'PostgreSQL rejects the password in DATABASE_OWNER_URL.',
  '28000': 'PostgreSQL rejects the user in DATABASE_OWNER_URL.',
  '3D000': 'The database in DATABASE_OWNER_URL does not exist. Create it first.',
  '42P01': 'A table is missing. Run "continuity migrate".',
  '42703': 'A column is missing. Run "continuity migrate".',
  '42501': 'The user in DATABASE_OWNER_URL lacks the permission. It must own the database.',
}

/**
 * The message for an error, with advice. Only here errors become text, so that no
 * message contains an address with its password.
 */
export function errorText(error: unknown): string {
  if (error instanceof UsageFault) return withHelp(error)
  if (!(error instanceof Error)) return 'The command failed for an unknown reason.'
  if (isProblem(error)) return withFields(error)
  const code = codeOf((error as { kind?: unknown }).kind)
  if (code !== undefined) return [error.message, advice[code]].filter(Boolean).join('\n')
  const known = causes[codeOf(firstOf(error)) ?? '']
  return known ?? (error.message === '' ? error.name : error.message)
}

function withHelp({ message, command }: UsageFault): string {
  return `${message}\nSee "continuity help${command === undefined ? '' : ` ${command}`}".`
}

/** The message with the invalid fields of the body. */
const withFields = ({ message, errors }: ProblemError): string =>
  [message, ...errors.map((fault) => `  ${fault.pointer} ${fault.message}`)].join('\n')

/** For a host with several addresses, the first error is enough. */
const firstOf = (error: Error): unknown => (error instanceof AggregateError ? error.errors[0] : error)

function codeOf(value: unknown): string | undefined {
  const { code } = (value ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
