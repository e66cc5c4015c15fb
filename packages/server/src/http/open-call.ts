import type { IncomingHttpHeaders } from 'node:http'
import type { MediaType } from '@continuity/contract'
import type { FastifyRequest } from 'fastify'
import { clientAddressOf } from './client-address.ts'
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
