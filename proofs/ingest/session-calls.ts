import { type AnswerOf, addressesOf, type Endpoint, type Operations, operations } from '@continuity/contract'

export type Session = AnswerOf<Operations['login']>

export interface SessionAnswer {
  readonly status: number
  readonly retryAfter: string | null
  /** Undefined where the answer is not 200. */
  readonly session: Session | undefined
}

export interface Login {
  readonly account_name: string
  readonly email: string
  readonly password: string
}

export interface AppLogin {
  readonly app_name: string
  readonly sdk_key: string
}

/** Longer than the request deadline of a process. */
const TIMEOUT_MS = 15_000

export const logIn = (api: string, login: Login, address: string): Promise<SessionAnswer> =>
  open(api, operations.login, login, address)

export const registerDevice = (api: string, app: AppLogin, address: string): Promise<SessionAnswer> =>
  open(api, operations.registerDevice, app, address)

export const refresh = (api: string, { token }: Session, address = '127.0.0.1'): Promise<SessionAnswer> =>
  open(api, operations.refreshSession, { token_refresh: token.token_refresh }, address)

/** The status of a read with the access credential; 200 for every valid one. */
export async function readStatus(api: string, { token, device_id }: Session): Promise<number> {
  const answer = await fetch(urlOf(api, operations.listBrands), {
    headers: { 'x-service-auth': token.token_access, 'x-service-device': device_id },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Repeats the read until the status is wanted, and returns it. Throws after the timeout. */
export async function readUntil(
  api: string,
  session: Session,
  isWanted: (status: number) => boolean,
  timeoutMs = 30_000,
): Promise<number> {
  const lateMs = performance.now() + timeoutMs
  for (;;) {
    const status = await readStatus(api, session)
    if (isWanted(status)) return status
    if (performance.now() > lateMs) throw new Error(`Still ${status} after ${timeoutMs / 1_000} s.`)
  }
}

/** The session; throws with the status if there is none. */
export function requireSession({ status, session }: SessionAnswer): Session {
  if (session === undefined) throw new Error(`A session was expected, and the answer was ${status}.`)
  return session
}

async function open(api: string, e: Endpoint, body: object, address: string): Promise<SessionAnswer> {
  const answer = await fetch(urlOf(api, e), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const json = (await answer.json()) as Session
  const retryAfter = answer.headers.get('retry-after')
  return { status: answer.status, retryAfter, session: answer.status === 200 ? json : undefined }
}

const urlOf = (api: string, e: Endpoint) => `${api}${addressesOf(e)[0]!}`
