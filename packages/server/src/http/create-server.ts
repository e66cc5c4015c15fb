import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { AppError } from '../platform/errors.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { compressAnswers } from './compress.ts'
import { allowOrigins } from './cors.ts'
import { HeaderTooLarge, MalformedRequest, RequestTimeout, RouteNotFound, UnknownVersion } from './errors.ts'
import { type OverloadLimits, rejectOverload } from './overload.ts'
import { PROBLEM_TYPE, toAppError, toProblem } from './problem.ts'
import { logRequests, pathOf, requestIdOf } from './request-log.ts'
import './request-types.ts'

/** 16 kB of headers: four times what a credential and a browser's own headers take. */
const HEADER_BYTES = 16 * 1024
const BODY_BYTES = 1024 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

/** The interval at which Node checks timeouts; its default of 30 s would turn 10 s into 40 s. */
const TIMEOUT_CHECK_MS = 2_000

/** Longer than the 60 s of nginx and most load balancers, so that they close first. */
const KEEP_ALIVE_MS = 75_000

const httpOptions = {
  maxHeaderSize: HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // Node's own rejection of a request without a host has no body; a hook rejects it with a problem.
  requireHostHeader: false,
} as const

/** Longer than any id that the contract allows, so that our own check rejects it. */
const PARAM_LENGTH = 2_048

export interface ServerOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly corsOrigins: readonly string[]
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  readonly limits: OverloadLimits
  /** Called before the framework; true when it has answered. It must be synchronous. */
  readonly answerFirst?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** A server without routes, with everything that applies to all requests. */
export function createServer(options: ServerOptions): FastifyInstance {
  const broken = options.metrics.counter(
    'http_requests_broken_total',
    'Requests that were not HTTP, timed out or were cut off, by parser code.',
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
      // The router failed before any hook ran.
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
      logger.error({ err: appError.cause, request_id: request.id }, 'request failed')
    }
    if (appError.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(appError.retryAfterSeconds))
    // Closing at once would reset the connection of a client that still sends, and lose the answer. Node discards the
    // rest, within the request timeout.
    if (appError.kind.status === 413) reply.removeHeader('connection')
    // RFC 9110 §15.5.2 requires the scheme; no browser prompts for a password because of this one.
    if (appError.kind.status === 401) reply.header('www-authenticate', 'X-Service-Auth')
    return reply
      .code(appError.kind.status)
      .header('cache-control', 'no-store')
      .type(PROBLEM_TYPE)
      .send(JSON.stringify(toProblem(appError, pathOf(request.url), request.id)))
  }

  // Bodies are kept as bytes, whatever their type: only `bind` reads them.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const requestLog = logRequests(server, logger, options.metrics)
  const allowOrigin = allowOrigins(options.corsOrigins)
  const checkOverload = rejectOverload(server, options.limits, requestLog.inFlight, options.metrics)
  // One hook for all, because each hook costs time for every request.
  server.addHook('onRequest', (request, reply, done) => {
    requestLog.watch(request, reply)
    reply.header('x-content-type-options', 'nosniff')
    if (allowOrigin(request, reply)) return
    // RFC 9112 §3.2 requires it for HTTP/1.1 only.
    const isHostless = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(
      isHostless ? MalformedRequest('An HTTP/1.1 request must have a Host header.') : checkOverload(request),
    )
  })
  compressAnswers(server)
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.setNotFoundHandler((request, reply) => sendError(notFound(pathOf(request.url)), request, reply))
  // RFC 9110 §10.1.1 allows a server to ignore an unknown expectation.
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

/** A request that is not HTTP never reaches the router, so the problem is written to the socket. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (answering?.req.complete === true) {
    // The fault is after a complete request, whose answer must be neither replaced nor interrupted.
    answering.once('close', () => socket.destroy())
    return
  }
  const appError =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? HeaderTooLarge(HEADER_BYTES)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? RequestTimeout()
        : MalformedRequest('This is not an HTTP/1.1 request.')
  const body = JSON.stringify(toProblem(appError, '', 'none'))
  socket.end(
    `HTTP/1.1 ${appError.kind.status} ${appError.kind.title}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // Node stops tracking a timed out connection: half closed, a silent client would keep it open.
  if (appError.kind.status === 408) socket.destroySoon()
}
