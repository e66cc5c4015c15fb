import type { Endpoint } from '@continuity/contract'
import { isForeign, ProblemError } from './problem-error.ts'
import type { Settings } from './settings.ts'
import { UnreachableError } from './unreachable-error.ts'

/** What a failed try says about its effect. */
type Failure = 'not_done' | 'unknown' | 'final'

type Waiting = Pick<Settings, 'retry' | 'sleep' | 'random'>

/** Tries until there is an answer, the failure is final, or the tries are used up. */
export async function retrying<T>(
  settings: Waiting,
  e: Endpoint,
  signal: AbortSignal | undefined,
  once: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await once()
    } catch (error) {
      if (tried >= settings.retry.tries || !mayRepeat(e, error)) throw error
      const askedMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0
      if (askedMs > settings.retry.retryAfterCapMs) throw error
      // The jitter comes on top of what was asked, or all who were refused together return together.
      await settings.sleep(askedMs + jitterMs(settings, tried), signal)
    }
  }
}

/** Full jitter: anything between nothing and the doubled wait spreads callers best. */
export function jitterMs({ retry, random }: Pick<Settings, 'retry' | 'random'>, failures: number): number {
  return random() * Math.min(retry.capMs, retry.baseMs * 2 ** (failures - 1))
}

/** Whether another try could end differently, leaving aside what a second effect would do. */
export const isPassing = (error: unknown): boolean => failureOf(error) !== 'final'

function mayRepeat(e: Endpoint, error: unknown): boolean {
  const failure = failureOf(error)
  if (failure === 'unknown') return isRepeatable(e)
  // A 429 to a login counts wrong passwords. Trying again would use up another
  // one, while a person waits in front of the form and is told nothing.
  if (opensSession(e) && error instanceof ProblemError && error.status === 429) return false
  return failure === 'not_done'
}

/**
 * The service promises that a call answered by 429 or 503 has had no effect.
 * It cannot promise for a proxy that gave up on it, nor for a lost connection.
 */
function failureOf(error: unknown): Failure {
  if (error instanceof UnreachableError) return 'unknown'
  if (!(error instanceof ProblemError)) return 'final'
  if (error.status === 429 || error.status === 503) return isForeign(error) ? 'unknown' : 'not_done'
  return error.status === 502 || error.status === 504 ? 'unknown' : 'final'
}

/**
 * Whether a second run does no harm when the first one may have happened.
 *
 * - GET, and a listing whatever its method (search is a POST), have no effect.
 * - With an idempotency key the service gives the first answer again.
 * - A refresh credential gives the same successor for 10 seconds.
 * - DELETE ends the same. If the first did happen the second says 404, which
 *   tells the caller more than a lost connection does.
 *
 * PATCH is left out: a second run could undo what somebody else wrote in
 * between, and with If-Match it would be refused on account of the first.
 * Opening a session is left out: the first one would stay open with nobody
 * holding it, and a wrong password would count twice.
 */
function isRepeatable(e: Endpoint): boolean {
  if (e.method === 'GET' || e.method === 'DELETE' || e.paging !== undefined) return true
  return e.idempotencyKey === true || e.id === 'refreshSession'
}

const opensSession = (e: Endpoint): boolean => e.id === 'login' || e.id === 'registerDevice'
