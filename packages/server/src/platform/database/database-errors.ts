import { AppError, defineError } from '../errors.ts'

export const DatabaseUnavailable = defineError(
  'database.unavailable',
  503,
  'The database is unavailable',
  (cause?: unknown) => ({
    detail: 'The database cannot be reached or did not answer in time. Try again shortly.',
    options: { retryAfterSeconds: 1, cause },
  }),
)

/**
 * Whether PostgreSQL rejected a prepared statement because a migration changed the columns that it returns. It was not
 * executed. SQLSTATE 0A000 only means "not supported", so the routine that raised it decides; the message may be in any
 * language.
 */
export const isStalePlan = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** The same after the pool has wrapped it. */
export const isStaleStatement = (error: unknown): boolean =>
  error instanceof AppError && isStalePlan(error.cause)

/**
 * Whether an error means that the database could not execute a statement now, rather than that the statement is wrong.
 * SQLSTATE classes are those of PostgreSQL's appendix A; connection errors have Node's codes, or none at all.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return CONNECTION_LOST.test(error.message)
  return NODE_CODE.test(code) || PASSING.test(code)
}

/** Whether the connection is lost, and not only the statement. */
export function isConnectionFault(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isUnavailable(error) && (typeof code !== 'string' || !/^(53|57014|55P03|40)/.test(code))
}

/** System errors such as ECONNRESET and EAI_AGAIN; Node's own argument errors begin with ERR_. */
const NODE_CODE = /^(E|EAI_)[A-Z]+$/

/** Messages of the driver for a connection that was lost or timed out; these errors have no code. */
const CONNECTION_LOST = /timeout|terminated|not queryable|connection error|Connection ended/i

// Lost connection, insufficient resources, shutting down or starting, statement timeout, lock timeout,
// idle timeout, serialization failure, deadlock.
const PASSING = /^(08...|53...|57P0[1-5]|57014|55P03|25P0[34]|40001|40P01)$/

/** Whether an error is a violation of this constraint or unique index. */
export const isBroken = (error: unknown, constraint: string): boolean =>
  error instanceof Error && (error as { constraint?: unknown }).constraint === constraint
