import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type Logger, PrintedFields } from '../platform/log/logger.ts'
import type { Counter, Histogram, Labels, Metrics } from '../platform/metrics/metrics.ts'
import { createOpenStreams } from './open-streams.ts'

/** A caller's own id is kept when it is safe in a log, a header and a database. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** The client closed the connection before the answer was written. */
const CLIENT_GONE = 499

const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of a route. Methods that share a route share its series. */
export interface RouteWatch {
  /** Its part of a log line. */
  readonly json: string
  readonly labels: Labels
  readonly duration: Histogram
  readonly byStatus: Map<number, Counter>
}

export interface RequestLog {
  /** Requests in flight. */
  inFlight(): number
  /** Counts a request from now on, and logs it at its end. */
  watch(request: FastifyRequest, reply: FastifyReply): void
}

export function requestIdOf(raw: IncomingMessage): string {
  const given = raw.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/**
 * One log line and one count per request, when its answer is sent or its client is gone.
 *
 * Only named fields are written: headers, bodies and queries are never logged, so that no secret can be.
 */
export function logRequests(server: FastifyInstance, logger: Logger, metrics: Metrics): RequestLog {
  const requests = metrics.counter('http_requests_total', 'Total number of HTTP requests.')
  const durations = metrics.histogram(
    'http_request_duration_seconds',
    'Duration of HTTP requests.',
    DURATION_BOUNDS,
  )
  let inFlight = 0
  const openStreams = createOpenStreams()
  server.decorate('openStreams', openStreams)
  const countInFlight = () => inFlight - openStreams.size()
  metrics.gauge('http_requests_in_flight', 'HTTP requests in flight.', countInFlight)

  const watchRoute = (route: string | undefined, method: string | readonly string[]): RouteWatch => {
    const labels = { route: route ?? 'none', method: typeof method === 'string' ? method : 'any' }
    const json = route === undefined ? '' : `,"route":${JSON.stringify(route)}`
    return { json, labels, duration: durations.series(labels), byStatus: new Map() }
  }
  const noRoute = watchRoute(undefined, [])

  const count = (watch: RouteWatch, status: number, seconds: number | undefined) => {
    if (seconds !== undefined) watch.duration.observe(seconds)
    let counter = watch.byStatus.get(status)
    if (counter === undefined) {
      counter = requests.series({ ...watch.labels, status: String(status) })
      watch.byStatus.set(status, counter)
    }
    counter.add()
  }

  const leave = () => {
    inFlight -= 1
  }
  const finish = (request: FastifyRequest, reply: FastifyReply, startMs: number) => {
    // Work of a handler that continues after its answer, because of a deadline or a gone client, still counts.
    if (request.deadline === undefined) leave()
    else request.deadline.whenSettled(leave)
    // A stream lasts as long as its client wants, so it has no duration.
    const isStream = openStreams.remove(request)
    const status = reply.raw.writableFinished || isStream ? reply.raw.statusCode : CLIENT_GONE
    const ms = performance.now() - startMs
    const watch = request.watch ?? request.routeOptions.config.watch ?? noRoute
    count(watch, status, isStream ? undefined : ms / 1_000)
    const line = new PrintedFields(
      `,"request_id":"${request.id}"${printTrace(request)},"method":"${request.method}"${watch.json},` +
        `"path":${JSON.stringify(pathOf(request.url).slice(0, PATH_LENGTH))},"status":${status},` +
        `"ms":${Math.round(ms * 100) / 100}${printPrincipal(request)}`,
    )
    if (status < 400) logger.info(line, 'request')
    else if (status !== 500) logger.warn(line, 'request')
    else logger.error(line, 'request')
  }

  server.decorateRequest('principal', undefined)
  server.decorateRequest('nowMs', 0)
  server.decorateRequest('watch', undefined)
  server.decorateRequest('deadline', undefined)
  // Reading the route of a request builds an object each time, so each route sets it on its requests instead.
  server.addHook('onRoute', (route) => {
    const watch = watchRoute(route.url, route.method)
    const setWatch: onRequestHookHandler = (request, _reply, done) => {
      request.watch = watch
      done()
    }
    route.config = { ...route.config, watch }
    route.onRequest = [setWatch, ...[route.onRequest ?? []].flat()]
  })
  const watch = (request: FastifyRequest, reply: FastifyReply) => {
    const startMs = performance.now()
    inFlight += 1
    reply.header('x-request-id', request.id)
    // Not `once`: the event comes once anyway, and removing a listener costs as much as the rest.
    reply.raw.on('close', () => finish(request, reply, startMs))
  }
  return { inFlight: countInFlight, watch }
}

const PATH_LENGTH = 256

/** A trace id is hexadecimal, so quotes are enough. */
function printTrace({ headers }: FastifyRequest): string {
  const traceId = readTraceId(headers.traceparent)
  return traceId === undefined ? '' : `,"trace_id":"${traceId}"`
}

function printPrincipal({ principal }: FastifyRequest): string {
  if (principal === undefined) return ''
  const { accountId, subjectId } = principal
  return `,"account_id":${JSON.stringify(accountId)},"subject_id":${JSON.stringify(subjectId)}`
}

/**
 * The path only. What a client may write around it can contain secrets: a query, a fragment, and the user and password
 * of an address in absolute form.
 */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const end = path.search(/[?#]/)
  return end === -1 ? path : path.slice(0, end)
}

/** W3C Trace Context, version 00; later versions begin with the same fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** The trace id of the caller. */
export function readTraceId(traceparent: string | string[] | undefined): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined
}
