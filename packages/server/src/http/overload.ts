import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppError } from '../platform/errors.ts'
import type { Metrics } from '../platform/metrics.ts'
import { Overloaded } from './errors.ts'
import { healthAddresses } from './health.ts'

const SAMPLE_MS = 100

export interface OverloadLimits {
  readonly requestsInFlight: number
  readonly eventLoopDelayMs: number
}

/** Probes are answered all the same: a busy process is alive, and its metrics say why. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(healthAddresses)

/**
 * Refuses early when there is more to do than can be done.
 *
 * A refused request costs microseconds and tells the client when to come back.
 * A queued one would be answered after its client had given up, and so would
 * all behind it.
 */
export function refuseOverload(
  server: FastifyInstance,
  limits: OverloadLimits,
  inFlight: () => number,
  metrics: Metrics,
): (request: FastifyRequest) => AppError | undefined {
  const refused = metrics.counter(
    'http_requests_refused_total',
    'Requests refused because the server was busy.',
  )
  const byRequests = refused.series({ reason: 'requests_in_flight' })
  const byDelay = refused.series({ reason: 'event_loop_delay' })
  let delayMs = 0 // written by the timer only
  let timer: NodeJS.Timeout | undefined // written when the server is ready
  // Not before: building the server takes a second or more, which is no reason to refuse its first requests.
  server.addHook('onReady', (done) => {
    let dueMs = performance.now() + SAMPLE_MS
    timer = setInterval(() => {
      const nowMs = performance.now()
      // Half of the last value stays, so that one slow turn alone refuses nobody.
      delayMs = delayMs / 2 + Math.max(0, nowMs - dueMs) / 2
      dueMs = nowMs + SAMPLE_MS
    }, SAMPLE_MS)
    timer.unref()
    done()
  })
  server.addHook('onClose', (_instance, done) => {
    clearInterval(timer)
    done()
  })

  const isOverCount = () => inFlight() > limits.requestsInFlight
  const isDelayed = () => delayMs > limits.eventLoopDelayMs
  return (request) => {
    const counter = isOverCount() ? byRequests : isDelayed() ? byDelay : undefined
    if (counter === undefined || ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) return undefined
    counter.add()
    return Overloaded()
  }
}
