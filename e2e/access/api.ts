import { Agent } from 'node:http'
import { addressesOf, type Endpoint, operationList, operations, prefixOf } from '@continuity/contract'
import { type RawAnswer, type RawRequest, sendRaw } from '../send-raw.ts'

export type Headers = Readonly<Record<string, string | readonly string[]>>

/** The parts of a request that depend on the operation. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Headers
}

export function requestTo(e: Endpoint, { params = {}, query = {}, body, headers = {} }: RequestParts) {
  const fill = (_: string, name: string) => encodeURIComponent(params[name] ?? 'none')
  const path = prefixOf(e.version) + e.path.replaceAll(/\{(\w+)\}/g, fill)
  const search = new URLSearchParams(query).toString()
  return {
    method: e.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

export interface Api {
  send(request: RawRequest): Promise<RawAnswer>
  call(e: Endpoint, parts: RequestParts): Promise<RawAnswer>
  /** The same, and throws unless it succeeds. */
  done<T>(e: Endpoint, parts: RequestParts): Promise<T>
  close(): void
}

/** More than the API has cores for, so that the test is not the bottleneck. */
const CONNECTIONS = 8

export function openApi(baseUrl: string): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const port = Number(new URL(baseUrl).port)
  const send = (request: RawRequest) => sendRaw(port, agent, request)
  const call = (e: Endpoint, parts: RequestParts) => send(requestTo(e, parts))
  return {
    send,
    call,
    async done<T>(e: Endpoint, parts: RequestParts) {
      const answer = await call(e, parts)
      if (answer.status >= 300) throw new Error(`${e.id} answers ${answer.status} ${answer.body}`)
      return (answer.body === '' ? undefined : JSON.parse(answer.body)) as T
    },
    close: () => agent.destroy(),
  }
}

/** Processes all items, as many at once as there are connections. */
export async function forEachAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}

/** The status, with the code of a problem. */
export function describeAnswer({ status, headers, body }: RawAnswer): string {
  if (status < 400) return `${status}`
  const isProblem = headers['content-type']?.startsWith('application/problem+json') === true
  if (!isProblem) return `${status} ${headers['content-type']}`
  return body === '' ? `${status}` : `${status} ${(JSON.parse(body) as { code: string }).code}`
}

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
  const { device_id: deviceId, token } = await api.done<SessionAnswer>(e, { body })
  const { token_access: access, token_refresh: refresh } = token
  return { access, refresh, deviceId, headers: headersOf(access, deviceId) }
}

export const headersOf = (credential: string, deviceId: string) => ({
  'x-service-auth': credential,
  'x-service-device': deviceId,
})

/** The claims of an access credential: user, account, device, session, roles, generation, times in seconds. */
export type Claims = Readonly<Record<'sub' | 'acc' | 'dev' | 'sid', string>> &
  Readonly<Record<'gen' | 'iat' | 'exp', number>> & { readonly roles: readonly string[] }

export const claimsOf = ({ access }: Session): Claims =>
  JSON.parse(Buffer.from(access.split('.')[1]!, 'base64url').toString()) as Claims

const ABSENT = '0195c1de-6f00-7a10-8000-0000000fffff'
const days = { query: { from: '2026-03-01', to: '2026-03-02' } }

/** Replaces the example of the contract where that cannot be used. */
const special: Readonly<Record<string, RequestParts>> = {
  // An invalid body: no password is checked, and no attempt is counted.
  login: { body: {} },
  registerDevice: { body: {} },
  refreshSession: { body: {} },
  // The examples name a brand and a playlist.
  createSeries: { body: { title: 'Harbour Nights' } },
  createLinearChannel: { body: { title: 'North One' } },
}

export const pathParameters = (e: Endpoint): string[] =>
  [...e.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** A valid request for records that do not exist, so that it can be repeated. */
function wellFormedParts(e: Endpoint): RequestParts {
  const params = Object.fromEntries(pathParameters(e).map((name) => [name, ABSENT]))
  return { params, body: e.example.body, ...(e.group === 'Reports' && days), ...special[e.id] }
}

/** One method and path of an operation: aliases count, and HEAD for every GET. */
export interface Way {
  readonly operationId: string
  readonly name: string
  request(headers: Headers): RawRequest & { readonly headers: Headers }
}

export const everyWay: readonly Way[] = operationList.flatMap((e) => {
  const methods = e.method === 'GET' ? ['GET', 'HEAD'] : [e.method]
  return addressesOf(e).flatMap((address, index) => {
    const path = index === 0 ? e.path : (e.aliases?.[index - 1] ?? '')
    const request = requestTo({ ...e, path }, wellFormedParts(e))
    return methods.map((method) => ({
      operationId: e.id,
      name: `${method} ${address}`,
      request: (headers: Headers) => ({ ...request, method, headers: { ...request.headers, ...headers } }),
    }))
  })
})
