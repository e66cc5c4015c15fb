import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import { type Delivery, readDelivery } from './delivery.ts'

/** Workers beat once a second. So long without anything means that it does not come any more. */
const SILENCE_MS = 3_000

/** The status of what the server says between messages. */
const CONTROL = 100

/**
 * The messages of a consumer, for as long as none is missing and the feed is not silent. However it ends, all that was
 * given is without a gap. Heartbeats of the server end a silence where nothing else is published regularly.
 */
export async function* orderedMessages(
  nc: NatsConnection,
  messages: Subscription,
  signal: AbortSignal,
  options: { readonly doHeartbeatsCount: boolean } = { doHeartbeatsCount: false },
): AsyncGenerator<readonly [Msg, Delivery]> {
  let next = 1
  let isBusy = false // time that is spent on a message is no silence
  const stop = () => messages.unsubscribe()
  const silence = setTimeout(() => (isBusy ? silence.refresh() : stop()), SILENCE_MS)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const message of messages) {
      if (message.headers?.code === CONTROL) {
        if (sayGoOn(nc, message) >= next) return
        if (options.doHeartbeatsCount) silence.refresh()
        continue
      }
      const delivery = readDelivery(message.reply)
      if (delivery?.sequence !== next) return
      next += 1
      isBusy = true
      yield [message, delivery]
      isBusy = false
      silence.refresh()
    }
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * Answers the server, which sends no more until then: everything before is handed over by now, so what waits in memory
 * is bounded by the server's own measure. Gives how many messages it has sent, where it says so.
 */
function sayGoOn(nc: NatsConnection, { headers, reply }: Msg): number {
  const asked = headers?.get('Nats-Consumer-Stalled') || reply
  if (asked !== undefined && asked !== '') nc.publish(asked)
  return Number(headers?.get('Nats-Last-Consumer') ?? 0)
}
