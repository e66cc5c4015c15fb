import { AckPolicy, type ConsumerConfig, DeliverPolicy } from '@nats-io/jetstream'
import { createInbox, type Msg, type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Bus } from '../bus.ts'
import { readDelivery } from '../feed/delivery.ts'
import type { Logger } from '../logger.ts'
import { LIVE_STREAM, liveDeliveryPrefix, manageLive } from './live-streams.ts'

export interface LatestOptions {
  /** Subjects of the stream, with `*`. */
  readonly subjects: string
  /** The last message of a subject: again after every reconnection, so twice must be as once. */
  readonly onMessage: (subject: string, text: string) => void
  readonly logger: Logger
}

export interface LatestFollower {
  /** Everything that was stored when it was last opened has been handed over. */
  isCaughtUp(): boolean
  close(): Promise<void>
}

const RETRY_MS = 500

/** The server is heard once a second, with a message or without. */
const SILENCE_MS = 4_000

/** The status of what the server says between messages. */
const CONTROL = 100

/** Follows the last message of every subject for as long as the process lives, through every reconnection. */
export function followLatest(bus: Bus, options: LatestOptions): LatestFollower {
  const stop = new AbortController()
  let isCaughtUp = false
  const keepFollowing = async () => {
    while (!stop.signal.aborted) {
      const nc = bus.connection()
      isCaughtUp = false
      if (nc !== undefined) {
        await followOnce(nc, bus.user, options, stop.signal, () => {
          isCaughtUp = true
        }).catch((error: unknown) =>
          options.logger.debug({ error: (error as Error).message }, 'sources cannot be followed'),
        )
      }
      await bus.wait(RETRY_MS, stop.signal)
    }
  }
  const following = keepFollowing()
  return {
    isCaughtUp: () => isCaughtUp,
    async close() {
      stop.abort()
      await following
    },
  }
}

/** Until a message is missing, the server is silent, or nobody wants it any more. */
async function followOnce(
  nc: NatsConnection,
  user: string,
  { subjects, onMessage }: LatestOptions,
  signal: AbortSignal,
  caughtUp: () => void,
): Promise<void> {
  const inbox = createInbox(liveDeliveryPrefix(user))
  const messages = nc.subscribe(inbox)
  const end = () => messages.unsubscribe()
  const silence = setTimeout(end, SILENCE_MS)
  signal.addEventListener('abort', end, { once: true })
  try {
    const { consumers } = await manageLive(nc)
    const config = { ...orderly, filter_subject: subjects, deliver_subject: inbox }
    const { num_pending } = await consumers.add(LIVE_STREAM, config)
    if (num_pending === 0) caughtUp()
    let next = 1
    for await (const message of messages) {
      silence.refresh()
      if (message.headers?.code === CONTROL) {
        if (letSendOn(nc, message) >= next) return
        continue
      }
      const delivery = readDelivery(message.reply)
      if (delivery?.sequence !== next) return
      next += 1
      onMessage(message.subject, message.string())
      if (delivery.pending === 0) caughtUp()
    }
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Answers flow control: the server sends no more until then. Returns how many messages it has sent, where it says so. */
function letSendOn(nc: NatsConnection, { headers, reply }: Msg): number {
  const stalled = headers?.get('Nats-Consumer-Stalled') ?? ''
  const subject = stalled === '' ? (reply ?? '') : stalled
  if (subject !== '') nc.publish(subject)
  return Number(headers?.get('Nats-Last-Consumer') ?? 0)
}

/** A consumer that lives in memory for as long as somebody listens. */
const orderly = {
  ack_policy: AckPolicy.None,
  deliver_policy: DeliverPolicy.LastPerSubject,
  max_deliver: 1,
  mem_storage: true,
  num_replicas: 1,
  flow_control: true,
  idle_heartbeat: nanos(1_000),
  inactive_threshold: nanos(5_000),
} as const satisfies Partial<ConsumerConfig>
