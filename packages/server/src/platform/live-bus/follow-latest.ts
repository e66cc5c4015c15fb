import { DeliverPolicy } from '@nats-io/jetstream'
import { createInbox, type NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import { manageStreams } from '../feed/feed-stream.ts'
import { orderly } from '../feed/open-delivery.ts'
import { orderedMessages } from '../feed/ordered-messages.ts'
import type { Logger } from '../log/logger.ts'
import { type LIVE_LOG_STREAM, LIVE_STREAM, liveDeliveryPrefix } from './live-streams.ts'

export interface LatestOptions {
  readonly stream?: typeof LIVE_STREAM | typeof LIVE_LOG_STREAM
  /** Subjects of the stream, with `*`. */
  readonly subjects: string
  /** Called with the last message of a subject, and again after every reconnection, so it must be idempotent. */
  readonly onMessage: (subject: string, text: string, storedMs: number) => void
  readonly logger: Logger
}

export interface LatestFollower {
  /** All messages that were stored when it was last opened have been delivered. */
  isCaughtUp(): boolean
  close(): Promise<void>
}

const RETRY_MS = 500

/** Follows the last message of every subject until it is closed, through every reconnection. */
export function followLatest(bus: Bus, options: LatestOptions): LatestFollower {
  const stop = new AbortController()
  let isCaughtUp = false
  const keepFollowing = async () => {
    while (!stop.signal.aborted) {
      const nc = bus.connection()
      isCaughtUp = false
      if (nc !== undefined) {
        const signal = AbortSignal.any([stop.signal, bus.lost()])
        await followOnce(nc, bus.user, options, signal, () => {
          isCaughtUp = true
        }).catch((error: unknown) =>
          options.logger.debug(
            { error: (error as Error).message },
            'could not follow live sources; retrying',
          ),
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

/** Returns when a message is missing, the server is silent, or the follower is closed. */
async function followOnce(
  nc: NatsConnection,
  user: string,
  { stream = LIVE_STREAM, subjects, onMessage }: LatestOptions,
  signal: AbortSignal,
  caughtUp: () => void,
): Promise<void> {
  const inbox = createInbox(liveDeliveryPrefix(user))
  const messages = nc.subscribe(inbox)
  try {
    const { consumers } = await manageStreams(nc)
    const latest = { deliver_policy: DeliverPolicy.LastPerSubject, filter_subject: subjects }
    const { num_pending } = await consumers.add(stream, {
      ...orderly,
      ...latest,
      deliver_subject: inbox,
    })
    if (num_pending === 0) caughtUp()
    const options = { doHeartbeatsCount: true }
    for await (const [message, { pending, storedMs }] of orderedMessages(nc, messages, signal, options)) {
      onMessage(message.subject, message.string(), storedMs)
      if (pending === 0) caughtUp()
    }
  } finally {
    messages.unsubscribe()
  }
}
