import type { Endpoint } from '@continuity/contract'
import { isForeign, ProblemError } from './problem-error.ts'
import type { RetrySettings, Settings } from './settings.ts'
import { UnreachableError } from './unreachable-error.ts'

/** Whether a failed try had its effect, as far as its error shows. */
type Failure = 'not_done' | 'unknown' | 'final'

type Waiting = Pick<Settings, 'retry' | 'sleep' | 'random' | 'now'>
interface Jitter extends Pick<Settings, 'random'> {
  readonly retry: Pick<RetrySettings, 'baseMs' | 'capMs'>
}

/**
 * A refresh credential gives the same successor for 10 seconds after its first
 * use; used later, it ends the session. A refresh is therefore retried in that
 * time or not at all: the last try begins after 8 s at most, and with 2 s for
 * each, four of them and their waits fit.
 */
const REFRESH_LAST_TRY_MS = 8_000
export const REFRESH_TRY_MS = 2_000

/** Tries until there is an answer, the failure is final, or the tries are used up. */
export async function retrying<T>(
  settings: Waiting,
  e: Endpoint,
  signal: AbortSignal | undefined,
  once: () => Promise<T>,
): Promise<T> {
  const lastTryMs = isRefresh(e) ? settings.now() + REFRESH_LAST_TRY_MS : Infinity
  for (let tried = 1; ; tried += 1) {
    try {
      return await once()
    } catch (error) {
      if (tried >= settings.retry.tries || !mayRepeat(e, error)) throw error
      const retryAfterMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0
      if (retryAfterMs > settings.retry.retryAfterCapMs) throw error
      // With jitter, so that clients that were rejected together do not retry together.
      const waitMs = retryAfterMs + jitterMs(settings, tried)
      if (settings.now() + waitMs > lastTryMs) throw error
      await settings.sleep(waitMs, signal)
      // The machine may have been suspended during the wait.
      if (settings.now() > lastTryMs) throw error
    }
  }
}

/** Full jitter: a random wait between 0 and the exponential backoff. */
export function jitterMs({ retry, random }: Jitter, failures: number): number {
  return random() * Math.min(retry.capMs, retry.baseMs * 2 ** (failures - 1))
}

/** Whether another try could succeed, regardless of whether a second effect would be harmful. */
export const isTransient = (error: unknown): boolean => failureOf(error) !== 'final'

function mayRepeat(e: Endpoint, error: unknown): boolean {
  const failure = failureOf(error)
  if (failure === 'unknown') return isRepeatable(e)
  // A 429 to a login counts wrong passwords. A retry would count as another one,
  // while the user sees no message.
  if (opensSession(e) && error instanceof ProblemError && error.status === 429) return false
  return failure === 'not_done'
}

const notDone: readonly (string | undefined)[] = ['server.overloaded', 'clock.wrong']

/**
 * The service answers 429, `server.overloaded` and `clock.wrong` before it does anything.
 * After its other 503s the effect is unknown: after `server.deadline` the work may
 * still continue, and `feed.unavailable` can follow a change that was made. It is
 * unknown also after a proxy's timeout and a lost connection.
 */
function failureOf(error: unknown): Failure {
  if (error instanceof UnreachableError) return 'unknown'
  if (!(error instanceof ProblemError)) return 'final'
  if (error.status === 429) return isForeign(error) ? 'unknown' : 'not_done'
  if (error.status === 503) return notDone.includes(error.code) ? 'not_done' : 'unknown'
  return error.status === 502 || error.status === 504 ? 'unknown' : 'final'
}

/**
 * Whether a call can be repeated when the first try may have had its effect.
 *
 * - GET, and a listing whatever its method (search is a POST), have no effect.
 * - With an idempotency key the service returns the first answer again.
 * - A refresh credential gives the same successor for 10 seconds.
 * - DELETE has the same effect. If the first succeeded, the second gets 404, which
 *   is more useful to the caller than a lost connection.
 *
 * Not PATCH: a second try could undo a concurrent change, and with If-Match it
 * would fail because of the first. Not opening a session: the first session
 * would stay open unused, and a wrong password would count twice.
 */
function isRepeatable(e: Endpoint): boolean {
  if (e.method === 'GET' || e.method === 'DELETE' || e.paging !== undefined) return true
  return e.idempotencyKey === true || isRefresh(e)
}

export const isRefresh = (e: Endpoint): boolean => e.id === 'refreshSession'

const opensSession = (e: Endpoint): boolean => e.id === 'login' || e.id === 'registerDevice'
