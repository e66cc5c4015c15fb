import { once } from 'node:events'
import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../platform/log/logger.ts'
import type { Health } from './health.ts'

export interface DrainTimes {
  /** How long requests are still accepted, so that load balancers can notice. */
  readonly graceMs: number
  /** How long open requests, and connections kept by proxies, may last after that. */
  readonly lastMs: number
}

/**
 * Stops a server without failing any request.
 *
 * 1. `/readyz` answers 503, so that load balancers use other servers.
 * 2. Listening stops: a proxy's next connection is refused at once, and it uses another server.
 * 3. Streams end: their clients open them again, on another server.
 * 4. From then on every answer has `Connection: close`. Earlier it would only make a proxy open a new connection, and
 *    there should be few new ones when listening stops.
 * 5. Idle connections of a proxy are left to the proxy. Closing one in the moment in which it sends a request would fail
 *    that request, and a proxy must not repeat a POST.
 */
export async function drain(
  server: FastifyInstance,
  health: Health,
  times: DrainTimes,
  logger: Logger,
): Promise<void> {
  logger.info('draining')
  health.drain()
  await wait(times.graceMs)

  const http = server.server
  const closed = once(http, 'close')
  await untilQuietTurn()
  // Node's own close would also close idle connections.
  NetServer.prototype.close.call(http)
  server.openStreams.endAll()
  const isClosed = await Promise.race([closed.then(() => true), wait(times.lastMs).then(() => false)])
  if (!isClosed) {
    logger.warn('drain timed out; closing open connections')
    http.closeAllConnections()
  }
  await server.close()
  logger.info('drained')
}

/** Answers have `Connection: close` once a draining server no longer listens. */
export function closeConnectionsWhen(server: FastifyInstance, isDraining: () => boolean): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining() && !server.server.listening) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Far more turns than a process needs unless it is overloaded; then it must stop all the same. */
const TURNS_MAXIMUM = 1_000

/**
 * Waits for a turn of the event loop without events.
 *
 * When listening stops, the kernel resets connections that are not accepted yet, and their requests fail. Node accepts
 * one connection per turn, so only a turn without any event shows that none is waiting. That is microseconds old then;
 * after a busy turn it would be milliseconds.
 */
async function untilQuietTurn(): Promise<void> {
  const events = () => performance.nodeTiming.uvMetricsInfo.events
  for (let turn = 0, before = -1; turn < TURNS_MAXIMUM && events() !== before; turn += 1) {
    before = events()
    await new Promise(setImmediate)
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
