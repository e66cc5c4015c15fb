import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppError } from '../platform/errors.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { Overloaded } from './errors.ts'
import { healthAddresses } from './health.ts'

const SAMPLE_MS = 100

export interface OverloadLimits {
  readonly requestsInFlight: number
  readonly eventLoopDelayMs: number
}

/** Probes are always answered: a busy process is alive, and its metrics show why. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(healthAddresses)

/**
 * Rejects requests early under overload.
 *
 * A rejected request costs microseconds and gets a Retry-After. A queued one would be answered after its client had
 * given up, and so would all behind it.
 */
export function rejectOverload(
  server: FastifyInstance,
  limits: OverloadLimits,
  inFlight: () => number,
  metrics: Metrics,
): (request: FastifyRequest) => AppError | undefined {
  const rejected = metrics.counter(
    'http_requests_rejected_total',
    'Requests rejected because the server was overloaded.',
  )
  const byRequests = rejected.series({ reason: 'requests_in_flight' })
  const byDelay = rejected.series({ reason: 'event_loop_delay' })
  let delayMs = 0 // set by the timer only
  let timer: NodeJS.Timeout | undefined // set when the server is ready
  // Not before: building the server takes a second or more, and its first requests must not be rejected for that.
  server.addHook('onReady', (done) => {
    let dueMs = performance.now() + SAMPLE_MS
    timer = setInterval(() => {
      const nowMs = performance.now()
      // Half of the last value stays, so that a single slow turn rejects nothing.
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
