import type { Endpoint } from '@continuity/contract'
import { isForeign, ProblemError } from './problem-error.ts'
import type { RetrySettings, Settings } from './settings.ts'
import { UnreachableError } from './unreachable-error.ts'

/** What a failed try says about its effect. */
type Failure = 'not_done' | 'unknown' | 'final'

type Waiting = Pick<Settings, 'retry' | 'sleep' | 'random' | 'now'>
interface Jitter extends Pick<Settings, 'random'> {
  readonly retry: Pick<RetrySettings, 'baseMs' | 'capMs'>
}

/**
 * A refresh credential gives the same successor for 10 seconds after its first
 * use; used later, it ends the session. A lost answer is therefore asked for
 * again in that time or not at all: the last try begins after 8 s at most, and
 * with 2 s for each, four of them and their waits fit.
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
      const askedMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0
      if (askedMs > settings.retry.retryAfterCapMs) throw error
      // The jitter comes on top of what was asked, or all who were refused together return together.
      const waitMs = askedMs + jitterMs(settings, tried)
      if (settings.now() + waitMs > lastTryMs) throw error
      await settings.sleep(waitMs, signal)
      // A machine that was suspended meanwhile has waited longer than it meant to.
      if (settings.now() > lastTryMs) throw error
    }
  }
}

/** Full jitter: anything between nothing and the doubled wait spreads callers best. */
export function jitterMs({ retry, random }: Jitter, failures: number): number {
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

const notDone: readonly (string | undefined)[] = ['server.overloaded', 'clock.wrong']

/**
 * The service answers 429, `server.overloaded` and `clock.wrong` before it does anything.
 * Its other 503s leave that open: after `server.deadline` the work may still go
 * on, and `feed.unavailable` can follow a change that was made. A proxy that gave
 * up on the service and a lost connection leave it open too.
 */
function failureOf(error: unknown): Failure {
  if (error instanceof UnreachableError) return 'unknown'
  if (!(error instanceof ProblemError)) return 'final'
  if (error.status === 429) return isForeign(error) ? 'unknown' : 'not_done'
  if (error.status === 503) return notDone.includes(error.code) ? 'not_done' : 'unknown'
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
  return e.idempotencyKey === true || isRefresh(e)
}

export const isRefresh = (e: Endpoint): boolean => e.id === 'refreshSession'

const opensSession = (e: Endpoint): boolean => e.id === 'login' || e.id === 'registerDevice'
