import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { AppError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import { compressAnswers } from './compress.ts'
import { allowOrigins } from './cors.ts'
import { HeaderTooLarge, MalformedRequest, RequestTimeout, RouteNotFound, UnknownVersion } from './errors.ts'
import { type OverloadLimits, refuseOverload } from './overload.ts'
import { PROBLEM_TYPE, toAppError, toProblem } from './problem.ts'
import { logRequests, pathOf, requestIdOf } from './request-log.ts'
import './request-types.ts'

/** 16 kB of header: four times what a credential and a browser's own headers take. */
const HEADER_BYTES = 16 * 1024
const BODY_BYTES = 1024 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

/** Node looks for late connections only this often; its own 30 s would make 40 out of 10. */
const TIMEOUT_CHECK_MS = 2_000

/** Longer than the 60 s for which nginx and most balancers keep theirs, so that they close first. */
const KEEP_ALIVE_MS = 75_000

const httpOptions = {
  maxHeaderSize: HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // Node's own refusal of a request without a host has no body; a hook refuses it in our words.
  requireHostHeader: false,
} as const

/** Longer than any id that the contract lets through, so that ours is the refusal. */
const PARAM_LENGTH = 2_048

export interface ServerOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly corsOrigins: readonly string[]
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  readonly limits: OverloadLimits
  /** Asked before the framework and all that is bound; true when it has answered. It must not wait for anything. */
  readonly answerFirst?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** A server on which nothing is bound yet, with all that every request goes through. */
export function createServer(options: ServerOptions): FastifyInstance {
  const broken = options.metrics.counter(
    'http_requests_broken_total',
    'Requests that were no HTTP, too late or broken off, by the code of the parser.',
  )
  const { answerFirst = () => false } = options
  const server: FastifyInstance = fastify({
    logger: false,
    serverFactory: (handler) =>
      createHttpServer(httpOptions, (request, response) => {
        if (!answerFirst(request, response)) handler(request, response)
      }),
    genReqId: requestIdOf,
    trustProxy: options.trustedProxies.length > 0 && [...options.trustedProxies],
    bodyLimit: BODY_BYTES,
    forceCloseConnections: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => {
      // The router gave up before any hook ran.
      requestLog.watch(request, reply)
      void sendError(error, request, reply)
    },
    clientErrorHandler: (error, socket) => {
      broken.series({ reason: error.code ?? 'unknown' }).add()
      answerBrokenRequest(error, socket)
    },
  })
  const { logger } = options

  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const appError = toAppError(error, request.routeOptions.bodyLimit)
    if (appError.kind.status >= 500 && appError.cause !== undefined) {
      logger.error({ err: appError.cause, request_id: request.id }, 'a request failed')
    }
    if (appError.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(appError.retryAfterSeconds))
    // Closed at once, the connection would be reset under a client that still sends, and the answer lost with it.
    // Node reads the rest away, for as long as a request may take.
    if (appError.kind.status === 413) reply.removeHeader('connection')
    // RFC 9110 §15.5.2 wants the scheme named; no browser asks for a password because of this one.
    if (appError.kind.status === 401) reply.header('www-authenticate', 'X-Service-Auth')
    return reply
      .code(appError.kind.status)
      .header('cache-control', 'no-store')
      .type(PROBLEM_TYPE)
      .send(JSON.stringify(toProblem(appError, pathOf(request.url), request.id)))
  }

  // Bodies are kept as bytes, whatever their type says: only `bind` reads them.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const requestLog = logRequests(server, logger, options.metrics)
  const allowOrigin = allowOrigins(options.corsOrigins)
  const refuseIfBusy = refuseOverload(server, options.limits, requestLog.inFlight, options.metrics)
  // One hook for all, because each is a step of the framework's for every request.
  server.addHook('onRequest', (request, reply, done) => {
    requestLog.watch(request, reply)
    reply.header('x-content-type-options', 'nosniff')
    if (allowOrigin(request, reply)) return
    // RFC 9112 §3.2 makes it a fault of HTTP/1.1 alone.
    const isHostless = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(isHostless ? MalformedRequest('A request of HTTP/1.1 has to name its host.') : refuseIfBusy(request))
  })
  compressAnswers(server)
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.setNotFoundHandler((request, reply) => sendError(notFound(pathOf(request.url)), request, reply))
  // RFC 9110 §10.1.1 lets a server pass over an expectation that it does not know.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  return server
}

function notFound(path: string): AppError {
  const version = /^\/api\/([^/]{1,32})(\/|$)/.exec(path)?.[1]
  if (version !== undefined && version !== '2.1' && version !== '2.3') return UnknownVersion(version)
  return RouteNotFound(path.slice(0, 256))
}

/** What is not even HTTP never reaches the router, so the problem is written to the socket. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (answering?.req.complete === true) {
    // The fault is in what follows a whole request, whose own answer must neither be replaced nor broken into.
    answering.once('close', () => socket.destroy())
    return
  }
  const appError =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? HeaderTooLarge(HEADER_BYTES)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? RequestTimeout()
        : MalformedRequest('This is not a request of HTTP/1.1.')
  const body = JSON.stringify(toProblem(appError, '', 'none'))
  socket.end(
    `HTTP/1.1 ${appError.kind.status} ${appError.kind.title}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // Node forgets a connection that was late: half closed, a silent client would keep it for ever.
  if (appError.kind.status === 408) socket.destroySoon()
}
