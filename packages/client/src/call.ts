import { type Endpoint, operations } from '@continuity/contract'
import { isForeign, isProblem } from './problem-error.ts'
import { type Read, readAs } from './read-answer.ts'
import type { AnyInput, OwnHeaders } from './request.ts'
import { isRefresh, REFRESH_TRY_MS } from './retry.ts'
import { isSessionAnswer, type SessionAnswer, type SessionKeeper } from './session-keeper.ts'
import type { Settings } from './settings.ts'
import { type Transfer, transfer } from './transfer.ts'

/** The options of any call; `CallOptions` says which ones a particular operation has. */
export interface AnyCallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly tries?: number | undefined
  readonly idempotencyKey?: string | undefined
  readonly ifMatch?: string | undefined
}

/** What every call of a client shares. */
export interface Wire {
  readonly settings: Settings
  readonly keeper: SessionKeeper
}

export const readSession = readAs(isSessionAnswer)

/** Calls an operation that answers once. */
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

/** Carries a call out, and once more with a renewed credential if the first was refused. */
export async function withRenewal<T>({ settings, keeper }: Wire, work: Transfer<T>): Promise<T> {
  const { line } = keeper
  const { session } = line
  try {
    return await transfer(settings, work, session)
  } catch (error) {
    if (work.endpoint.access === 'public' || session === undefined || !isCredentialRefused(error)) throw error
    const renewed = await keeper.renew(line, session, work.signal)
    if (renewed === undefined) throw error
    return await transfer(settings, work, renewed)
  }
}

/**
 * Whether another credential could help.
 *
 * Not only when it has expired: it is invalid as well once the signing key was
 * rotated away or the session was ended. A refresh tells the two apart, and
 * the user has to log in only after the second. It would be spent for nothing
 * where the headers got lost on the way, or where the 401 is a proxy's.
 */
function isCredentialRefused(error: unknown): boolean {
  if (!isProblem(error) || error.status !== 401) return false
  return !isForeign(error) && error.code !== 'credential.missing'
}

/** The refresh that the keeper makes for all callers: no one's signal can end it. */
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

/** The key is made once a call: a repeated try with a new key would be a new order. */
function ownHeadersOf(endpoint: Endpoint, { idempotencyKey, ifMatch }: AnyCallOptions): OwnHeaders {
  return {
    ...(endpoint.idempotencyKey === true ? { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  }
}
