import { addressesOf, documentedHeaders, type Endpoint, operationList, prefixOf } from '@continuity/contract'
import type { Session } from './session-keeper.ts'

export type QueryValue = string | number | boolean | undefined

/** The input of any operation; `InputOf` has the parts of a particular one. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  readonly body?: unknown
}

/** Headers of one call; the same on each of its tries. */
export interface OwnHeaders {
  readonly Accept?: string
  readonly 'Idempotency-Key'?: string
  readonly 'If-Match'?: string
  readonly 'Last-Event-ID'?: string
}

export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | null
}

export function buildRequest(
  baseUrl: string,
  e: Endpoint,
  input: AnyInput,
  own: OwnHeaders,
  session: Session | undefined,
): WireRequest {
  return {
    method: e.method,
    url: baseUrl + addressOf(e, input.params ?? {}) + searchOf(input.query ?? {}),
    // Built here: for an invalid value, fetch would throw the same error as for a lost connection.
    headers: new Headers({
      // The API requires it on every request, with a body or without.
      'Content-Type': 'application/json',
      Accept: isEventStream(e) ? 'text/event-stream' : 'application/json',
      ...own,
      ...credentialsOf(e, session),
    }),
    body: input.body === undefined ? null : JSON.stringify(input.body),
  }
}

export const isEventStream = (e: Endpoint): boolean => e.answer.mediaTypes?.[0] === 'text/event-stream'

/** Public operations get no credential: they need none, and a proxy might log it. */
function credentialsOf(e: Endpoint, session: Session | undefined): Record<string, string> {
  if (e.access === 'public' || session === undefined) return {}
  const names = documentedHeaders[e.version]
  return { [names.auth]: session.token.token_access, [names.device]: session.device_id }
}

const fixedAddresses = new Set(operationList.flatMap(addressesOf).filter((address) => !address.includes('{')))

/**
 * The path with its parameters filled in.
 *
 * Rejects two kinds of values that would call another operation: those that URL
 * normalisation removes, and those that result in a fixed path, such as a live
 * source with the id `rescue_slate`.
 */
function addressOf(e: Endpoint, params: Readonly<Record<string, string>>): string {
  const path = e.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeParam(name, params[name]))
  const address = prefixOf(e.version) + path
  if (path !== e.path && fixedAddresses.has(address)) {
    throw new TypeError(`${e.id}: ${address} is the address of another operation`)
  }
  return address
}

function encodeParam(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..') {
    throw new TypeError(`The parameter ${name} cannot be ${JSON.stringify(value)}`)
  }
  return encodeURIComponent(value)
}

function searchOf(query: Readonly<Record<string, QueryValue>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}
