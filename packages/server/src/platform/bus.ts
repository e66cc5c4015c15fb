import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import type { Logger } from './logger.ts'

export interface Bus {
  /** As whom it connects, as a token of a subject; `anyone` where the address names nobody. */
  readonly user: string
  /** Settles with the first connection, or when the bus is closed. */
  readonly opened: Promise<void>
  /** Rejects while there is no connection to NATS. */
  ping(): Promise<void>
  /** Tells whoever listens now. Nothing is kept: while there is no connection it is told to nobody. */
  publish(subject: string, text: string): void
  /**
   * Listens for as long as the process lives, through every reconnection; gives the way to stop. Of all who listen in
   * the same queue group, one hears what is told. What was sent as a request can be answered.
   */
  subscribe(
    subject: string,
    heard: (text: string, respond: (text: string) => void) => void,
    queue?: string,
  ): () => void
  /** For what more NATS can do than to tell and to listen; undefined while there is no connection. */
  connection(): NatsConnection | undefined
  /**
   * Waits, but no longer than until the next connection: whatever was told meanwhile was not heard. A connection
   * that came since the last wait counts too. For one who waits.
   */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Aborts when the present connection is lost: what NATS kept for it may be gone with it. */
  lost(): AbortSignal
  /** Whether there is a connection, and an outage is so long over that others are connected again too. */
  isSettled(): boolean
  close(): Promise<void>
}

/** Where NATS sends answers to a user: its own, so that it may subscribe to no others. */
export const inboxPrefixOf = (user: string): string => `_INBOX_${user}`

const RETRY_MS = 500
const PING_TIMEOUT_MS = 2_000
/** The others try every half a second too, and then read what they have missed. */
const SETTLED_MS = 2_000
const RECONNECTING = {
  maxReconnectAttempts: -1,
  reconnectTimeWait: RETRY_MS,
  timeout: PING_TIMEOUT_MS,
  // A network that swallows everything is noticed after 4 to 6 s, and not after the minutes that TCP takes.
  pingInterval: 2_000,
  maxPingOut: 2,
}

/**
 * Keeps a connection to NATS for as long as the process lives.
 *
 * It opens in the background: a process starts, and works, while NATS is gone.
 */
export function openBus(url: string, options: { name: string; logger: Logger }): Bus {
  const user = userOf(url)
  // Of its own, so that NATS can keep users from listening to each other's answers.
  const inboxPrefix = inboxPrefixOf(user)
  const abort = new AbortController()
  const { promise: opened, resolve: haveOpened } = Promise.withResolvers<void>()
  let connection: NatsConnection | undefined // written by the loop below only
  let isConnected = false // written by the loop below and by its watch
  let isTold = false // that NATS is gone; told once, not at every try
  const listeners = new Map<string, Listener>()
  const reconnections = new EventEmitter().setMaxListeners(0)
  let losing = new AbortController() // with the present connection
  let settledMs = 0 // when others are connected again too; written by the loop below and by its watch
  let isNew = false // a connection that nobody who waits has learnt of yet

  const listen = (on: NatsConnection, subject: string, listener: Listener) => {
    listener.subscription = on.subscribe(subject, {
      ...(listener.queue === undefined ? {} : { queue: listener.queue }),
      callback: (error, message) => {
        if (error !== null) return
        listener.heard(message.string(), (text) => void message.respond(text))
      },
    })
  }
  /** Once the server has answered: it has all subscriptions then, and nothing is missed from there on. */
  const tellConnected = async (on: NatsConnection) => {
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
      tellConnected(on).catch(() => {})
    }
  }

  const keepOpen = async () => {
    while (!abort.signal.aborted) {
      try {
        connection = await connect({ ...serversOf(url), ...RECONNECTING, inboxPrefix, name: options.name })
        if (isTold) {
          options.logger.info('NATS is reachable again')
          settledMs = performance.now() + SETTLED_MS
        }
        isTold = false
        isConnected = true
        for (const [subject, listener] of listeners) listen(connection, subject, listener)
        void watchStatus(connection)
        haveOpened()
        tellConnected(connection).catch(() => {})
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
    subscribe(subject, heard, queue) {
      if (listeners.has(subject)) throw new Error(`${subject} has a listener`)
      const listener: Listener = { heard, queue, subscription: undefined }
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
  readonly heard: (text: string, respond: (text: string) => void) => void
  readonly queue: string | undefined
  subscription: Subscription | undefined // of the connection at hand
}

const userOf = (url: string): string => {
  const { username } = new URL(url.split(',')[0]!.trim())
  return username === '' ? 'anyone' : decodeURIComponent(username).replaceAll(/[^\w-]/g, '_')
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

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
