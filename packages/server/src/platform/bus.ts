import { setTimeout } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from './logger.ts'

export interface Bus {
  /** Settles with the first connection, or when the bus is closed. */
  readonly opened: Promise<void>
  /** Rejects while there is no connection to NATS. */
  ping(): Promise<void>
  close(): Promise<void>
}

const RETRY_MS = 500
const PING_TIMEOUT_MS = 2_000
const RECONNECTING = { maxReconnectAttempts: -1, reconnectTimeWait: RETRY_MS, timeout: PING_TIMEOUT_MS }

/**
 * Keeps a connection to NATS for as long as the process lives.
 *
 * It opens in the background: a process starts, and works, while NATS is gone.
 */
export function openBus(url: string, options: { name: string; logger: Logger }): Bus {
  const abort = new AbortController()
  const { promise: opened, resolve: haveOpened } = Promise.withResolvers<void>()
  let connection: NatsConnection | undefined // written by the loop below only
  let isTold = false // that NATS is gone; told once, not at every try

  const keepOpen = async () => {
    while (!abort.signal.aborted) {
      try {
        connection = await connect({ ...serversOf(url), ...RECONNECTING, name: options.name })
        if (isTold) options.logger.info('NATS is reachable again')
        isTold = false
        haveOpened()
        // The client reconnects by itself, but gives up for good when it is refused twice.
        await Promise.race([connection.closed(), aborted(abort.signal)])
      } catch (error) {
        if (!isTold) options.logger.warn({ error: (error as Error).message }, 'NATS is not reachable')
        isTold = true
      }
      // Takes its listener off the signal again: an outage may last for days.
      await setTimeout(RETRY_MS, undefined, { signal: abort.signal }).catch(() => {})
    }
    haveOpened()
    await connection?.close()
  }
  const closed = keepOpen()

  return {
    opened,
    async ping() {
      if (connection === undefined || connection.isClosed()) throw new Error('not connected')
      const timeout = AbortSignal.timeout(PING_TIMEOUT_MS)
      await Promise.race([
        connection.flush(),
        aborted(timeout).then(() => Promise.reject(new Error('no answer in time'))),
      ])
    },
    async close() {
      abort.abort()
      await closed
    },
  }
}

/** One address or several, separated by commas; the user and password of the first hold for all. */
function serversOf(url: string) {
  const addresses = url.split(',').map((address) => new URL(address.trim()))
  const { username, password, protocol } = addresses[0]!
  return {
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
