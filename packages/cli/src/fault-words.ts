import { isProblem, type ProblemError } from '@continuity/client'
import { UsageFault } from './usage-fault.ts'

/** What to do about a refusal of the platform, by its code. Its own words come before. */
const advice: Readonly<Record<string, string>> = {
  'account.not_found': 'See "continuity accounts list".',
  'user.not_found': 'See "continuity users list --account NAME".',
  'user.exists': 'Change that user instead, with "continuity users roles" or "continuity users password".',
  'app_key.not_found': 'See "continuity app-keys list --account NAME".',
  'database.unavailable': 'See that PostgreSQL runs and that DATABASE_OWNER_URL leads to it.',
}

/** What PostgreSQL and the network say, by SQLSTATE or the system's code, in words for who can mend it. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens where DATABASE_OWNER_URL leads. See that PostgreSQL runs.',
  ENOTFOUND: 'The host in DATABASE_OWNER_URL is not known.',
  ETIMEDOUT: 'The host in DATABASE_OWNER_URL does not answer.',
  '28P01': 'PostgreSQL does not take the password in DATABASE_OWNER_URL.',
  '28000': 'PostgreSQL does not let the user of DATABASE_OWNER_URL in.',
  '3D000': 'The database that DATABASE_OWNER_URL names does not exist. Create it first.',
  '42P01': 'A table is missing. Run "continuity migrate".',
  '42703': 'A column is missing. Run "continuity migrate".',
  '42501': 'The user of DATABASE_OWNER_URL may not do this. It has to own the database.',
}

/**
 * An error in words that say what to do. The one place where errors become
 * text, so that none prints an address with its password.
 */
export function wordsFor(error: unknown): string {
  if (error instanceof UsageFault) return withHelp(error)
  if (!(error instanceof Error)) return 'It failed, and nothing says why.'
  if (isProblem(error)) return withFields(error)
  const refusal = codeOf((error as { kind?: unknown }).kind)
  if (refusal !== undefined) return [error.message, advice[refusal]].filter(Boolean).join('\n')
  const known = causes[codeOf(firstOf(error)) ?? '']
  return known ?? (error.message === '' ? error.name : error.message)
}

function withHelp({ message, command }: UsageFault): string {
  return `${message}\nSee "continuity help${command === undefined ? '' : ` ${command}`}".`
}

/** A refused body says which of its fields are at fault. */
const withFields = ({ message, errors }: ProblemError): string =>
  [message, ...errors.map((fault) => `  ${fault.pointer} ${fault.message}`)].join('\n')

/** Of a host with several addresses, the first that failed tells enough. */
const firstOf = (error: Error): unknown => (error instanceof AggregateError ? error.errors[0] : error)

function codeOf(value: unknown): string | undefined {
  const { code } = (value ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
