import { type Endpoint, operations } from '@continuity/contract'
import type { TokenClaims } from '../../packages/server/src/modules/auth/index.ts'
import { jsonOf } from '../../proofs/wire-fuzz/wire-request.ts'
import type { Api, Headers } from './call.ts'

/** A session as its client knows it. */
export interface Session {
  readonly access: string
  readonly refresh: string
  readonly deviceId: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Login {
  readonly account_name: string
  readonly email: string
  readonly password: string
}

export const logIn = (api: Api, login: Login): Promise<Session> => open(api, operations.login, login)

export const registerDevice = (api: Api, app_name: string, sdk_key: string): Promise<Session> =>
  open(api, operations.registerDevice, { app_name, sdk_key })

export const refresh = (api: Api, { refresh: token_refresh }: Session): Promise<Session> =>
  open(api, operations.refreshSession, { token_refresh })

interface SessionAnswer {
  readonly device_id: string
  readonly token: { readonly token_access: string; readonly token_refresh: string }
}

async function open(api: Api, e: Endpoint, body: object): Promise<Session> {
  const answer = await api.call(e, { body })
  if (answer.status !== 200) throw new Error(`${e.id} answers ${answer.status} ${answer.body.toString()}`)
  const { device_id: deviceId, token } = jsonOf(answer) as SessionAnswer
  const { token_access: access, token_refresh: refresh } = token
  return { access, refresh, deviceId, headers: headersOf(access, deviceId) }
}

export const headersOf = (credential: string, deviceId: string) => ({
  'x-service-auth': credential,
  'x-service-device': deviceId,
})

/** The claims of an access credential; the signature is not verified. */
export function claimsOf(access: string): TokenClaims {
  const payload = Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()
  const { sub, acc, dev, sid, roles, gen, iat, exp } = JSON.parse(payload) as WrittenClaims
  const ids = { subjectId: sub, accountId: acc, deviceId: dev, sessionId: sid }
  return { ...ids, roles, generation: gen, issuedMs: iat * 1_000, expiresMs: exp * 1_000 }
}

type WrittenClaims = Readonly<Record<'sub' | 'acc' | 'dev' | 'sid', string>> &
  Readonly<Record<'gen' | 'iat' | 'exp', number>> & { readonly roles: readonly string[] }

/** Sends a request, and throws unless it succeeds. */
export async function done<T>(
  api: Api,
  e: Endpoint,
  parts: {
    params?: Record<string, string>
    query?: Record<string, string>
    body?: unknown
    headers: Headers
  },
): Promise<T> {
  const answer = await api.call(e, parts)
  if (answer.status >= 300) throw new Error(`${e.id} answers ${answer.status} ${answer.body.toString()}`)
  return jsonOf(answer) as T
}
