import type { IncomingHttpHeaders } from 'node:http'
import {
  type AnswerOf,
  addressesOf,
  type BodyOf,
  type Endpoint,
  errorsOf,
  type MediaType,
  type OperationId,
  type Operations,
  type ParamsOf,
  type QueryOf,
} from '@continuity/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Answer } from './answer.ts'
import { authenticate } from './authenticate.ts'
import { Deadline, DeadlineWatch } from './deadline.ts'
import * as httpErrors from './errors.ts'
import { negotiate } from './negotiate.ts'
import { OpenCall } from './open-call.ts'
import type { Principal, VerifyCredential } from './principal.ts'
import { compileInput, type RawRequest } from './read-input.ts'
import { compileAnswer } from './send-answer.ts'
import { openStream, StreamAnswer } from './stream-answer.ts'

/** The argument of a handler: validated input, the principal and the time of the request. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly principal: E extends { access: 'public' } ? undefined : Principal
  readonly nowMs: number
  readonly requestId: string
  readonly operationId: string
  readonly mediaType: MediaType
  /** The Idempotency-Key, where the operation supports it. */
  readonly idempotencyKey: string | undefined
  /** The If-Match header; `requireMatch` reads it. */
  readonly ifMatch: string | undefined
  /** Empty where none was sent; truncated to 512 characters. */
  readonly userAgent: string
  /** The IP address of the client, behind trusted proxies. */
  readonly clientAddress: string
  /** The request came through a trusted proxy, so headers that such a proxy adds can be trusted. */
  readonly isForwarded: boolean
  /** Names are in lower case. For headers that the operator names in a setting; all others have their own field. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Aborts when the client has gone or the deadline has passed. */
  readonly signal: AbortSignal
}

/** A plain body, or one with headers. */
export type HandlerResult<E extends Endpoint> = AnswerOf<E> | Answer<AnswerOf<E>>

export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<HandlerResult<E> | StreamOf<E>> | HandlerResult<E> | StreamOf<E>

/** An answer written over time, where the operation declares events or rows of a report. */
type StreamOf<E extends Endpoint> = E extends {
  answer: { events: object } | { mediaTypes: readonly [string, 'text/csv', ...string[]] }
}
  ? StreamAnswer
  : never

/** Handlers by operation. An operation without one validates the request and answers 501. */
export type Handlers = { readonly [K in OperationId]?: Handler<Operations[K]> }

export interface BindOptions {
  readonly clock: Clock
  readonly verifyCredential: VerifyCredential
  /** Checks answers against the contract; for tests and development. */
  readonly checkAnswers: boolean
  /** Throws while the clock of the process is wrong. */
  readonly requireRightClock?: () => void
  /** How long a handler may take, after the whole request has arrived. */
  readonly deadlineMs: number
}

const JSON_ONLY = ['application/json'] as const satisfies readonly MediaType[]

/** Serves one operation at its path and its aliases. */
export function bind<E extends Endpoint>(
  server: FastifyInstance,
  e: E,
  handler: Handler<E> | undefined,
  options: BindOptions,
): void {
  const { clock, verifyCredential } = options
  const readInput = compileInput(e)
  const sendAnswer = compileAnswer(e, options.checkAnswers)
  const errorOf = options.checkAnswers ? declaredError(e) : ourError
  const offered = e.answer.mediaTypes ?? JSON_ONLY
  const deadlines = new DeadlineWatch(options.deadlineMs)

  const open = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    // Before the body is read, so that an upload without a credential costs nothing.
    try {
      // Before the credential is checked: a wrong clock would consider a valid one expired, and write a wrong time.
      if (e.method !== 'GET' || e.access !== 'public') options.requireRightClock?.()
      const nowMs = clock()
      request.nowMs = nowMs
      if (e.access !== 'public') {
        request.principal = authenticate(e.access, verifyCredential, request.headers, nowMs)
      }
      // Fastify would reject a content type without a parser, also of a body that is ignored.
      if (e.bodyIgnored === true) delete request.headers['content-type']
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  const isStillAllowed = ({ headers }: FastifyRequest): boolean => {
    try {
      if (e.access !== 'public') authenticate(e.access, verifyCredential, headers, clock())
      return true
    } catch {
      return false
    }
  }

  const handle = (request: FastifyRequest, reply: FastifyReply) => {
    const mediaType = negotiate(request.headers.accept, offered)
    if (mediaType === undefined) throw httpErrors.NotAcceptable(offered)
    const input = readInput(request as RawRequest)
    if (handler === undefined) throw httpErrors.NotBuilt(e.id)
    const deadline = new Deadline(reply.raw, deadlines)
    const call = new OpenCall(e.id, input, request, mediaType, deadline) as unknown as Call<E>
    const sendError = (error: unknown) => void reply.send(errorOf(error))
    const done = (result: HandlerResult<E> | StreamAnswer) => {
      try {
        if (result instanceof StreamAnswer) openStream(request, reply, result, () => isStillAllowed(request))
        else sendAnswer(request, reply, result)
      } catch (error) {
        sendError(error)
      }
    }
    try {
      const result = handler(call)
      if (result instanceof Promise) {
        request.deadline = deadline
        deadline.waitFor(result, done, sendError)
      } else done(result)
    } catch (error) {
      sendError(error)
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

/** Here and not later, where an error with its own status could be mistaken for one of Fastify. */
const ourError = (error: unknown) => (error instanceof AppError ? error : httpErrors.InternalError(error))

/** Clients are generated from the errors that an operation declares. */
function declaredError(e: Endpoint): (error: unknown) => AppError {
  const ofWire = Object.values(httpErrors).map(({ code }) => code)
  const declared = new Set([...Object.keys(errorsOf(e)), ...ofWire])
  return (error) => {
    const it = ourError(error)
    const { code } = it.kind
    return declared.has(code) ? it : httpErrors.InternalError(new Error(`${e.id} does not declare ${code}`))
  }
}
