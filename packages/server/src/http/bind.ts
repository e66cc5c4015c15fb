import {
  type AnswerOf,
  addressesOf,
  type BodyOf,
  type Endpoint,
  type MediaType,
  type OperationId,
  type Operations,
  type ParamsOf,
  type QueryOf,
} from '@continuity/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import { authenticate } from './authenticate.ts'
import { Deadline, DeadlineWatch } from './deadline.ts'
import { InternalError, NotAcceptable, NotBuilt } from './errors.ts'
import { negotiate } from './negotiate.ts'
import type { Principal, VerifyCredential } from './principal.ts'
import { compileInput, type Input } from './read-input.ts'
import { type Check, compileCheck } from './schema-validator.ts'

/** What a handler is given: checked input, who asks, and the time of the request. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly principal: E extends { access: 'public' } ? undefined : Principal
  readonly nowMs: number
  readonly requestId: string
  readonly mediaType: MediaType
  /** Aborts when the client has gone or the deadline has passed. */
  readonly signal: AbortSignal
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E>> | AnswerOf<E>

/** Handlers by operation. What has none checks the request and answers 501. */
export type Handlers = { readonly [K in OperationId]?: Handler<Operations[K]> }

export interface BindOptions {
  readonly clock: Clock
  readonly verifyCredential: VerifyCredential
  /** Checks what handlers answer against the contract; for tests and development. */
  readonly checkAnswers: boolean
  /** How long a handler may take, from when the whole request has arrived. */
  readonly deadlineMs: number
}

const JSON_TYPE = 'application/json; charset=utf-8'
const JSON_ONLY = ['application/json'] as const satisfies readonly MediaType[]

/** Puts one operation on the wire, at its path and its aliases. */
export function bind<E extends Endpoint>(
  server: FastifyInstance,
  e: E,
  handler: Handler<E> | undefined,
  options: BindOptions,
): void {
  const { clock, verifyCredential } = options
  const readInput = compileInput(e)
  const checkAnswer =
    options.checkAnswers && e.answer.schema !== undefined ? compileCheck(e.answer.schema) : undefined
  const offered = e.answer.mediaTypes ?? JSON_ONLY
  const deadlines = new DeadlineWatch(options.deadlineMs)

  const open = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    // Before the body is read, so that a stranger's upload costs us nothing.
    try {
      const nowMs = clock()
      request.nowMs = nowMs
      if (e.access !== 'public') {
        request.principal = authenticate(e.access, verifyCredential, request.headers, nowMs)
      }
      // The framework would refuse a type that it cannot read, of a body that nobody reads.
      if (e.bodyIgnored === true) delete request.headers['content-type']
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  const handle = (request: FastifyRequest, reply: FastifyReply) => {
    const mediaType = negotiate(request.headers.accept, offered)
    if (mediaType === undefined) throw NotAcceptable(offered)
    const input = readInput({
      params: request.params,
      query: request.query,
      contentType: request.headers['content-type'],
      contentEncoding: request.headers['content-encoding'],
      body: request.body as Buffer | undefined,
    })
    if (handler === undefined) throw NotBuilt(e.id)
    const deadline = new Deadline(reply.raw, deadlines)
    const call = new OpenCall(input, request, mediaType, deadline) as unknown as Call<E>
    const refuse = (error: unknown) => void reply.send(ourError(error))
    const done = (body: AnswerOf<E>) => {
      try {
        answer(e, reply, body, checkAnswer)
      } catch (error) {
        refuse(error)
      }
    }
    try {
      const result = handler(call)
      if (result instanceof Promise) {
        request.deadline = deadline
        deadline.waitFor(result, done, refuse)
      } else done(result)
    } catch (error) {
      refuse(error)
    }
  }

  for (const address of addressesOf(e)) {
    server.route({
      method: e.method,
      url: address.replaceAll(/\{(\w+)\}/g, ':$1'),
      ...(e.bodyLimit === undefined ? {} : { bodyLimit: e.bodyLimit }),
      onRequest: open,
      handler: handle,
    })
  }
}

/**
 * A call as its handler sees it. A class, because a getter in an object literal
 * makes a new hidden class for every object, and each keeps its request alive
 * until the next full collection.
 */
class OpenCall {
  readonly params: Input['params']
  readonly query: Input['query']
  readonly body: Input['body']
  readonly principal: Principal | undefined
  readonly nowMs: number
  readonly requestId: string
  readonly mediaType: MediaType
  readonly #deadline: Deadline

  constructor(input: Input, request: FastifyRequest, mediaType: MediaType, deadline: Deadline) {
    this.params = input.params
    this.query = input.query
    this.body = input.body
    this.principal = request.principal
    this.nowMs = request.nowMs
    this.requestId = request.id
    this.mediaType = mediaType
    this.#deadline = deadline
  }

  get signal(): AbortSignal {
    return this.#deadline.signal
  }
}

/** Here and not later, where an error with a status of its own could pass for one of the framework's. */
const ourError = (error: unknown) => (error instanceof AppError ? error : InternalError(error))

function answer(e: Endpoint, reply: FastifyReply, body: unknown, check: Check | undefined): void {
  if (check !== undefined) {
    const faults = check(body)
    if (faults.length > 0) {
      const what = faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
      // Told to the caller, because only development and tests check answers.
      const cause = new Error(`${e.id} answered: ${what}`)
      throw new AppError(InternalError, cause.message, { cause })
    }
  }
  reply.code(e.answer.status)
  if (body === undefined) reply.send()
  else reply.header('content-type', JSON_TYPE).send(JSON.stringify(body))
}
