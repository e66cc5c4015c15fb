import { AppError, defineError } from '../errors.ts'

export const DatabaseUnavailable = defineError(
  'database.unavailable',
  503,
  'The database is not there',
  (cause?: unknown) => ({
    detail: 'The database cannot be reached or did not answer in time. Try again shortly.',
    options: { retryAfterSeconds: 1, cause },
  }),
)

/**
 * Whether PostgreSQL rejected a prepared statement because a migration has changed the columns that it returns. Nothing of
 * it was carried out. SQLSTATE 0A000 says no more than "not supported", so the function that raised it decides; the
 * message may be in any language.
 */
export const isStalePlan = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** The same where it has passed the pool. */
export const isStaleStatement = (error: unknown): boolean =>
  error instanceof AppError && isStalePlan(error.cause)

/**
 * Whether an error says that the database could not do it now, and not that it
 * was asked for something wrong. SQLSTATE classes are those of PostgreSQL's
 * appendix A; errors of the connection have codes of Node's, or none at all.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return CONNECTION_LOST.test(error.message)
  return NODE_CODE.test(code) || PASSING.test(code)
}

/** Whether the connection itself is lost, and not only the statement. */
export function isConnectionFault(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isUnavailable(error) && (typeof code !== 'string' || !/^(53|57014|55P03|40)/.test(code))
}

/** Those of the system, such as ECONNRESET and EAI_AGAIN; what Node itself refuses begins with ERR_. */
const NODE_CODE = /^(E|EAI_)[A-Z]+$/

/** Words of the driver for a connection that was lost or not had in time; it gives these errors no code. */
const CONNECTION_LOST = /timeout|terminated|not queryable|connection error|Connection ended/i

// Lost connections, no room, shut down or starting, cancelled by a timeout, waited too long for a lock,
// idle too long, and two transactions that could not both be done.
const PASSING = /^(08...|53...|57P0[1-5]|57014|55P03|25P0[34]|40001|40P01)$/

/** Whether an error says that a row would break this constraint or unique index. */
export const isBroken = (error: unknown, constraint: string): boolean =>
  error instanceof Error && (error as { constraint?: unknown }).constraint === constraint
