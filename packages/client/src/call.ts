import { type Endpoint, operations } from '@continuity/contract'
import { isForeign, isProblem, ProblemError } from './problem-error.ts'
import { type Read, readAs, readProblem } from './read-answer.ts'
import { type AnyInput, buildRequest, type OwnHeaders, type WireRequest } from './request.ts'
import { isRefresh, REFRESH_TRY_MS, retrying } from './retry.ts'
import { isSessionAnswer, type Session, type SessionAnswer, type SessionKeeper } from './session-keeper.ts'
import type { Settings } from './settings.ts'
import { UnreachableError } from './unreachable-error.ts'
import { type Limits, withinLimits } from './waiting.ts'

/** The options of any call; `CallOptions` has those of a particular operation. */
export interface AnyCallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly tries?: number | undefined
  readonly idempotencyKey?: string | undefined
  readonly ifMatch?: string | undefined
}

/** Shared by all calls of a client. */
export interface Wire {
  readonly settings: Settings
  readonly keeper: SessionKeeper
}

export const readSession = readAs(isSessionAnswer)

/** Calls an operation that returns one answer. */
export async function call<T>(
  { settings, keeper }: Wire,
  endpoint: Endpoint,
  read: Read<T>,
  input: AnyInput = {},
  options: AnyCallOptions = {},
): Promise<T> {
  const timeoutMs = options.timeoutMs ?? timeoutOf(settings, endpoint)
  const own = ownHeadersOf(endpoint, options)
  const retry = { ...settings.retry, tries: options.tries ?? settings.retry.tries }
  const wire = { settings: { ...settings, retry }, keeper }
  return withRenewal(wire, { endpoint, read, input, own, timeoutMs, signal: options.signal })
}

/** Makes a call, and repeats it once with a renewed credential if the first was rejected. */
export async function withRenewal<T>({ settings, keeper }: Wire, work: Transfer<T>): Promise<T> {
  const { line } = keeper
  const { session } = line
  try {
    return await transfer(settings, work, session)
  } catch (error) {
    if (work.endpoint.access === 'public' || session === undefined || !isCredentialRejected(error))
      throw error
    const renewed = await keeper.renew(line, session, work.signal)
    if (renewed === undefined) throw error
    return await transfer(settings, work, renewed)
  }
}

/**
 * Whether another credential could help.
 *
 * Not only when it has expired: it is invalid as well once the signing key was
 * rotated away or the session was ended. A refresh distinguishes the two, and
 * the user has to log in only after the second. It would be useless where the
 * headers got lost on the way, or where the 401 is a proxy's.
 */
function isCredentialRejected(error: unknown): boolean {
  if (!isProblem(error) || error.status !== 401) return false
  return !isForeign(error) && error.code !== 'credential.missing'
}

/** The refresh that all callers share: no caller's signal aborts it. */
export async function refresh(settings: Settings, tokenRefresh: string): Promise<SessionAnswer> {
  const endpoint = operations.refreshSession
  const input = { body: { token_refresh: tokenRefresh } }
  const timeoutMs = timeoutOf(settings, endpoint)
  return transfer(
    settings,
    { endpoint, read: readSession, input, own: {}, timeoutMs, signal: undefined },
    undefined,
  )
}

function timeoutOf({ timeoutMs }: Settings, endpoint: Endpoint): number {
  return isRefresh(endpoint) ? Math.min(REFRESH_TRY_MS, timeoutMs) : timeoutMs
}

/** One key per call: with a new key, a retry would be a new request to the service. */
function ownHeadersOf(endpoint: Endpoint, { idempotencyKey, ifMatch }: AnyCallOptions): OwnHeaders {
  return {
    ...(endpoint.idempotencyKey === true ? { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  }
}

interface Transfer<T> extends Limits {
  readonly endpoint: Endpoint
  readonly input: AnyInput
  readonly own: OwnHeaders
  readonly read: Read<T>
}

/** One call with one credential, with retries. */
async function transfer<T>(
  settings: Settings,
  { endpoint, input, own, read, ...limits }: Transfer<T>,
  session: Session | undefined,
): Promise<T> {
  const request = buildRequest(settings.baseUrl, endpoint, input, own, session)
  return retrying(settings, endpoint, limits.signal, () => tryOnce(settings, request, limits, read))
}

async function tryOnce<T>(
  settings: Settings,
  { url, ...init }: WireRequest,
  limits: Limits,
  read: Read<T>,
): Promise<T> {
  // A browser's fetch throws if it is called as a method of another object.
  const { fetch, now } = settings
  try {
    return await withinLimits(limits, async (signal) => {
      // The service never redirects, and fetch would send the credential to any
      // host that a redirect leads to.
      const response = await fetch(url, { ...init, signal, redirect: 'manual' })
      if (!response.ok) throw await readProblem(response, now())
      return await read(response)
    })
  } catch (error) {
    if (error instanceof ProblemError) throw error
    limits.signal?.throwIfAborted()
    throw new UnreachableError({ method: init.method, url }, error)
  }
}
