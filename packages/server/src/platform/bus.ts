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

/**
 * Keeps a connection to NATS for as long as the process lives.
 *
 * It opens in the background: a process starts, and works, while NATS is gone.
 */
export function openBus(url: string, options: { name: string; logger: Logger }): Bus {
  const { hostname, port, username, password } = new URL(url)
  const abort = new AbortController()
  let connection: NatsConnection | undefined // written by the loop below only

  const opened = (async () => {
    while (!abort.signal.aborted) {
      try {
        connection = await connect({
          servers: `${hostname}:${port === '' ? '4222' : port}`,
          name: options.name,
          maxReconnectAttempts: -1,
          reconnectTimeWait: RETRY_MS,
          timeout: PING_TIMEOUT_MS,
          ...(username === ''
            ? {}
            : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
        })
        if (abort.signal.aborted) await connection.close()
        return
      } catch (error) {
        options.logger.warn({ error: (error as Error).message }, 'NATS is not reachable')
        await pause(RETRY_MS, abort.signal)
      }
    }
  })()

  return {
    opened,
    async ping() {
      if (connection === undefined) throw new Error('not connected')
      const timeout = AbortSignal.timeout(PING_TIMEOUT_MS)
      await Promise.race([
        connection.flush(),
        new Promise((_, reject) =>
          timeout.addEventListener('abort', () => reject(new Error('no answer in time'))),
        ),
      ])
    },
    async close() {
      abort.abort()
      await opened
      await connection?.close()
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
