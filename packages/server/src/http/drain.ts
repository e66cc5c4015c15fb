import { once } from 'node:events'
import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../platform/logger.ts'
import type { Health } from './health.ts'

export interface DrainTimes {
  /** How long requests are still taken, so that balancers can notice. */
  readonly graceMs: number
  /** How long the requests in hand, and connections kept by proxies, may last after that. */
  readonly lastMs: number
}

/**
 * Ends a server without failing anybody.
 *
 * 1. `/readyz` says 503, so that balancers go elsewhere by themselves.
 * 2. Listening stops: a proxy's next connection is refused at once, and it
 *    takes another server.
 * 3. Streams end: their clients open them again, and this server listens no
 *    longer.
 * 4. From then on every answer carries `Connection: close`. Earlier it would
 *    only make a proxy come back with a new connection, and the fewer of those
 *    there are when listening stops, the better.
 * 5. Idle connections that a proxy keeps are left to the proxy. Closing one in
 *    the moment in which it sends a request would fail that request, and a
 *    proxy must not repeat a POST.
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
  // Node's own close would also end idle connections.
  NetServer.prototype.close.call(http)
  server.openStreams.endAll()
  const isClosed = await Promise.race([closed.then(() => true), wait(times.lastMs).then(() => false)])
  if (!isClosed) {
    logger.warn('connections were still open at the end of the drain')
    http.closeAllConnections()
  }
  await server.close()
  logger.info('drained')
}

/** When a draining server no longer listens, its answers tell their connection to end. */
export function closeConnectionsWhen(server: FastifyInstance, isDraining: () => boolean): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining() && !server.server.listening) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Far more turns than a process needs that is not overloaded; one that is must stop all the same. */
const TURNS_MAXIMUM = 1_000

/**
 * Waits for a turn of the event loop in which nothing happened.
 *
 * The kernel resets connections that were opened and not yet accepted when
 * listening stops, and their requests fail. Node accepts one connection a turn,
 * so only a turn without any event says that none is waiting. The answer is
 * microseconds old then; after a turn full of work it would be milliseconds.
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
