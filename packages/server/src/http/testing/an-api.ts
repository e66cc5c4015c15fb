import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { newId } from '../../platform/crypto/ids.ts'
import { createPageCursors } from '../../platform/crypto/page-cursor.ts'
import type { Scope } from '../../platform/testing/a-database.ts'
import type { Handlers } from '../bind.ts'
import { buildApi } from '../build-api.ts'
import { bindOptions, serverOptions } from './a-server.ts'
import { aCapturedLog } from './captured-log.ts'
import { credentialHeaders, NOW_MS } from './credentials.ts'
import type { WireAnswer } from './wire.ts'

type Headers = Readonly<Record<string, string>>

export interface ApiAnswer<T = unknown> extends WireAnswer {
  json(): T
}

/** Calls as one user of one account. */
export interface ApiUser {
  readonly userId: string
  readonly credential: Headers
  get<T>(url: string, headers?: Headers): Promise<ApiAnswer<T>>
  post<T>(url: string, body?: object, headers?: Headers): Promise<ApiAnswer<T>>
  put<T>(url: string, body?: object, headers?: Headers): Promise<ApiAnswer<T>>
  patch<T>(url: string, body?: object, headers?: Headers): Promise<ApiAnswer<T>>
  delete(url: string, headers?: Headers): Promise<ApiAnswer>
}

export interface TestApi {
  /** The time of its clock, for the test to move. */
  nowMs: number
  userOf(accountId: string, roles?: readonly string[]): ApiUser
  /** For streamed answers: starts to listen. */
  listen(): Promise<string>
}

export const somePageCursors = () => {
  const secret = randomBytes(32)
  return createPageCursors(() => [secret])
}

/** A complete API with these handlers, for the test file that awaits it. Answers are checked against the contract. */
export async function anApi(handlers: Handlers, t: Scope = { after }): Promise<TestApi> {
  const api = { nowMs: NOW_MS }
  const options = { ...serverOptions(aCapturedLog()), ...bindOptions, dependencies: [], handlers }
  const { server } = buildApi({ ...options, clock: () => api.nowMs })
  await server.ready()
  t.after(() => server.close())

  const userOf = (accountId: string, roles: readonly string[] = ['ROLE_ADMIN']): ApiUser => {
    const userId = newId(NOW_MS)
    const claims = { accountId, subjectId: userId, roles, expiresMs: NOW_MS + 365 * 86_400_000 }
    const credential = credentialHeaders(claims)
    const send = async <T>(
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      url: string,
      payload: object | undefined,
      headers: Headers,
    ): Promise<ApiAnswer<T>> =>
      server.inject({
        method,
        url,
        headers: { ...credential, ...headers },
        ...(payload === undefined ? {} : { payload }),
      })
    return {
      userId,
      credential,
      get: (url, headers = {}) => send('GET', url, undefined, headers),
      post: (url, body, headers = {}) => send('POST', url, body, headers),
      put: (url, body, headers = {}) => send('PUT', url, body, headers),
      patch: (url, body, headers = {}) => send('PATCH', url, body, headers),
      delete: (url, headers = {}) => send('DELETE', url, undefined, headers),
    }
  }
  let listening: Promise<string> | undefined
  const listen = () => (listening ??= server.listen({ host: '127.0.0.1', port: 0 }))
  return Object.assign(api, { userOf, listen })
}
