import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import { type Delivery, readDelivery } from './delivery.ts'

/** Workers send a heartbeat once a second. A silence this long means that the delivery has stopped. */
const SILENCE_MS = 3_000

/** The status code of control messages of the server. */
const CONTROL = 100

/**
 * The messages of a consumer, until one is missing or the feed is silent. What was delivered has no gap. Heartbeats of
 * the server end a silence where nothing else is published regularly.
 */
export async function* orderedMessages(
  nc: NatsConnection,
  messages: Subscription,
  signal: AbortSignal,
  options: { readonly doHeartbeatsCount: boolean } = { doHeartbeatsCount: false },
): AsyncGenerator<readonly [Msg, Delivery]> {
  let next = 1
  let isBusy = false // handling a message does not count as silence
  const stop = () => messages.unsubscribe()
  const silence = setTimeout(() => (isBusy ? silence.refresh() : stop()), SILENCE_MS)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const message of messages) {
      if (message.headers?.code === CONTROL) {
        if (answerFlowControl(nc, message) >= next) return
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
 * Answers the server, which sends no more until then: all earlier messages have been delivered by now, so the server's
 * window bounds the memory. Returns how many messages the server has sent, where it states that.
 */
function answerFlowControl(nc: NatsConnection, { headers, reply }: Msg): number {
  const replyTo = headers?.get('Nats-Consumer-Stalled') || reply
  if (replyTo !== undefined && replyTo !== '') nc.publish(replyTo)
  return Number(headers?.get('Nats-Last-Consumer') ?? 0)
}
