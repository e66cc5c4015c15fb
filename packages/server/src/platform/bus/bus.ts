import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import type { Logger } from '../log/logger.ts'

export interface Bus {
  /** The user it connects as, as a token of a subject; `anyone` where the address has no user. */
  readonly user: string
  /** Settles with the first connection, or when the bus is closed. */
  readonly opened: Promise<void>
  /** Rejects while there is no connection to NATS. */
  ping(): Promise<void>
  /** Sends to the current subscribers. Nothing is buffered: without a connection the message is dropped. */
  publish(subject: string, text: string): void
  /**
   * Subscribes until the process ends, through every reconnection; returns a function that unsubscribes. Of all
   * subscribers of a queue group, one receives a message. A request can be answered.
   */
  subscribe(
    subject: string,
    onMessage: (text: string, respond: (text: string) => void) => void,
    queue?: string,
  ): () => void
  /** For JetStream and the rest of the client; undefined while there is no connection. */
  connection(): NatsConnection | undefined
  /**
   * Waits until the next connection, at most `ms`: messages published without a connection were not received. A
   * connection made since the last wait ends it at once. For a single waiter.
   */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Aborts when the present connection is lost, and with it the ephemeral state that NATS kept for it. */
  lost(): AbortSignal
  /** Whether there is a connection, and the last outage ended long enough ago that other processes reconnected too. */
  isSettled(): boolean
  close(): Promise<void>
}

/** The inbox of a user: its own, so that permissions can keep it from the answers to others. */
export const inboxPrefixOf = (user: string): string => `_INBOX_${user}`

const RETRY_MS = 500
const PING_TIMEOUT_MS = 2_000
/** Other processes retry every 500 ms too, and then read what they missed. */
const SETTLED_MS = 2_000
const RECONNECTING = {
  maxReconnectAttempts: -1,
  reconnectTimeWait: RETRY_MS,
  timeout: PING_TIMEOUT_MS,
  // A network that drops all packets is noticed after 4 to 6 s; TCP alone takes minutes.
  pingInterval: 2_000,
  maxPingOut: 2,
}

/**
 * Keeps a connection to NATS until the process ends.
 *
 * It connects in the background: a process starts, and works, while NATS is unavailable.
 */
export function openBus(url: string, options: { name: string; logger: Logger }): Bus {
  const user = userOf(url)
  // One per user, so that NATS permissions can keep users from each other's answers.
  const inboxPrefix = inboxPrefixOf(user)
  const abort = new AbortController()
  const { promise: opened, resolve: haveOpened } = Promise.withResolvers<void>()
  let connection: NatsConnection | undefined // written by the loop below only
  let isConnected = false // written by the loop below and by its watch
  let isOutageLogged = false // logged once per outage, not at every try
  const listeners = new Map<string, Listener>()
  const reconnections = new EventEmitter().setMaxListeners(0)
  let losing = new AbortController() // with the present connection
  let settledMs = 0 // when others are connected again too; written by the loop below and by its watch
  let isNew = false // a connection that no wait has returned for yet

  const listen = (on: NatsConnection, subject: string, listener: Listener) => {
    listener.subscription = on.subscribe(subject, {
      ...(listener.queue === undefined ? {} : { queue: listener.queue }),
      callback: (error, message) => {
        if (error !== null) return
        listener.onMessage(message.string(), (text) => void message.respond(text))
      },
    })
  }
  /** Emitted once the server has answered: it then has all subscriptions, and no later message is missed. */
  const emitConnected = async (on: NatsConnection) => {
    await on.flush()
    isNew = true
    reconnections.emit('connected')
  }
  const watchStatus = async (on: NatsConnection) => {
    for await (const { type } of on.status()) {
      if (type === 'disconnect') {
        isConnected = false
        losing.abort()
        losing = new AbortController()
      }
      if (type !== 'reconnect') continue
      isConnected = true
      settledMs = performance.now() + SETTLED_MS
      // A connection that breaks before it has answered is followed by another.
      emitConnected(on).catch(() => {})
    }
  }

  const keepOpen = async () => {
    while (!abort.signal.aborted) {
      try {
        connection = await connect({ ...serversOf(url), ...RECONNECTING, inboxPrefix, name: options.name })
        if (isOutageLogged) {
          options.logger.info('NATS is reachable again')
          settledMs = performance.now() + SETTLED_MS
        }
        isOutageLogged = false
        isConnected = true
        for (const [subject, listener] of listeners) listen(connection, subject, listener)
        void watchStatus(connection)
        haveOpened()
        emitConnected(connection).catch(() => {})
        // The client reconnects by itself, but gives up permanently when authentication fails twice.
        await Promise.race([connection.closed(), aborted(abort.signal)])
      } catch (error) {
        if (!isOutageLogged)
          options.logger.warn({ error: (error as Error).message }, 'NATS is unreachable; retrying')
        isOutageLogged = true
      }
      // Removes its listener from the signal again: an outage may last for days.
      await setTimeout(RETRY_MS, undefined, { signal: abort.signal }).catch(() => {})
    }
    haveOpened()
    await connection?.close()
  }
  const closed = keepOpen()

  return {
    user,
    opened,
    async ping() {
      if (connection === undefined || connection.isClosed()) throw new Error('not connected')
      const timeout = AbortSignal.timeout(PING_TIMEOUT_MS)
      await Promise.race([
        connection.flush(),
        aborted(timeout).then(() => Promise.reject(new Error('no answer in time'))),
      ])
    },
    publish(subject, text) {
      if (connection !== undefined && !connection.isClosed()) connection.publish(subject, text)
    },
    subscribe(subject, onMessage, queue) {
      if (listeners.has(subject)) throw new Error(`${subject} has a subscriber already`)
      const listener: Listener = { onMessage, queue, subscription: undefined }
      listeners.set(subject, listener)
      if (connection !== undefined && !connection.isClosed()) listen(connection, subject, listener)
      return () => {
        listeners.delete(subject)
        listener.subscription?.unsubscribe()
      }
    },
    connection: () => (isConnected && connection?.isClosed() === false ? connection : undefined),
    lost: () => losing.signal,
    isSettled: () => isConnected && connection?.isClosed() === false && performance.now() >= settledMs,
    async wait(ms, signal) {
      const until = AbortSignal.any([signal, AbortSignal.timeout(ms)])
      if (!isNew) await once(reconnections, 'connected', { signal: until }).catch(() => {})
      isNew = false
    },
    async close() {
      abort.abort()
      await closed
    },
  }
}

interface Listener {
  readonly onMessage: (text: string, respond: (text: string) => void) => void
  readonly queue: string | undefined
  subscription: Subscription | undefined // on the current connection
}

const userOf = (url: string): string => {
  const { username } = new URL(url.split(',')[0]!.trim())
  return username === '' ? 'anyone' : decodeURIComponent(username).replaceAll(/[^\w-]/g, '_')
}

/** One address or several, separated by commas; the user and password of the first apply to all. */
function serversOf(url: string) {
  const addresses = url.split(',').map((address) => new URL(address.trim()))
  const { username, password, protocol } = addresses[0]!
  return {
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
