import { type Endpoint, prefixOf } from '@continuity/contract'
import { createSender, jsonOf, type WireAnswer } from '../../proofs/wire-fuzz/wire-request.ts'

/** A list is a header that is sent several times. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer | undefined
}

/** The parts of a request that depend on the operation. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Headers
}

export function requestTo(e: Endpoint, parts: RequestParts): Request {
  const { params = {}, query = {}, body, headers = {} } = parts
  const fill = (_: string, name: string) => encodeURIComponent(params[name] ?? 'none')
  const path = prefixOf(e.version) + e.path.replaceAll(/\{(\w+)\}/g, fill)
  const search = new URLSearchParams(query).toString()
  return {
    method: e.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  }
}

export interface Api {
  send(request: Request): Promise<WireAnswer>
  call(e: Endpoint, parts: RequestParts): Promise<WireAnswer>
  close(): void
}

/** More than the API has cores for, so that the test is not the bottleneck. */
const CONNECTIONS = 8

export function openApi(baseUrl: string): Api {
  const sender = createSender(baseUrl, CONNECTIONS)
  // Node sends a list as several headers of one name.
  const send = (request: Request) => sender.send(request as Parameters<typeof sender.send>[0])
  return { send, call: (e, parts) => send(requestTo(e, parts)), close: () => sender.close() }
}

/** Processes all items, as many at once as there are connections. */
export async function forEachAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}

/** The status, with the code of a problem, or with `empty` for an empty list. */
export function describeAnswer(answer: WireAnswer): string {
  const { status, headers } = answer
  const type = String(headers['content-type'])
  if (type.startsWith('application/problem+json')) {
    const { code } = (jsonOf(answer) ?? {}) as { code?: string }
    return code === undefined ? `${status}` : `${status} ${code}`
  }
  if (status >= 400) return `${status} ${type}`
  const body = jsonOf(answer)
  const list = Array.isArray(body) ? body : (body as { hits?: unknown } | undefined)?.hits
  return Array.isArray(list) && list.length === 0 ? `${status} empty` : `${status}`
}
