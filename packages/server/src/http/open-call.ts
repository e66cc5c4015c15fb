import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv4, SocketAddress } from 'node:net'
import type { MediaType } from '@continuity/contract'
import type { FastifyRequest } from 'fastify'
import type { Deadline } from './deadline.ts'
import type { Principal } from './principal.ts'
import type { Input } from './read-input.ts'

/** Longer than any browser or player sends; stored sessions stay small. */
const USER_AGENT_LENGTH = 512

/**
 * The call that a handler gets. Values that few handlers need are computed on access. A class, because a getter in an
 * object literal creates a new hidden class per object, and each keeps its request alive until the next full collection.
 */
export class OpenCall {
  readonly operationId: string
  readonly params: Input['params']
  readonly query: Input['query']
  readonly body: Input['body']
  readonly idempotencyKey: string | undefined
  readonly principal: Principal | undefined
  readonly nowMs: number
  readonly requestId: string
  readonly mediaType: MediaType
  readonly #request: FastifyRequest
  readonly #deadline: Deadline

  constructor(
    operationId: string,
    input: Input,
    request: FastifyRequest,
    mediaType: MediaType,
    deadline: Deadline,
  ) {
    this.operationId = operationId
    this.params = input.params
    this.query = input.query
    this.body = input.body
    this.idempotencyKey = input.idempotencyKey
    this.principal = request.principal
    this.nowMs = request.nowMs
    this.requestId = request.id
    this.mediaType = mediaType
    this.#request = request
    this.#deadline = deadline
  }

  get headers(): Readonly<IncomingHttpHeaders> {
    return this.#request.headers
  }

  get ifMatch(): string | undefined {
    return this.#request.headers['if-match']
  }

  get userAgent(): string {
    return (this.#request.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH)
  }

  get clientAddress(): string {
    return clientAddressOf(this.#request)
  }

  get isForwarded(): boolean {
    return (this.#request.ips?.length ?? 0) > 1
  }

  get signal(): AbortSignal {
    return this.#deadline.signal
  }
}

/**
 * The address of the client behind trusted proxies; empty when the connection was closed before it was read.
 *
 * A proxy may forward any text. An entry that is not an address is ignored, and the client is then the nearest known
 * address.
 */
export function clientAddressOf(request: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const chain = request.ips ?? [request.ip]
  const address = chain.findLast(isAddress)
  return address === undefined ? '' : canonical(address)
}

/** Fastify returns undefined for a closed connection, unlike its types. */
const isAddress = (text: string | undefined) => text !== undefined && isIP(text) !== 0

/** The normal form: limits per address must not be bypassed by another spelling. */
function canonical(text: string): string {
  const { address } = new SocketAddress({ address: text, family: isIPv4(text) ? 'ipv4' : 'ipv6' })
  const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : ''
  return isIPv4(mapped) ? mapped : address
}

/** How a dual-stack socket writes an IPv4 address: RFC 4291 §2.5.5.2. */
const MAPPED = '::ffff:'
