/** The metadata of a JetStream message. */
export interface Delivery {
  readonly streamSequence: number
  /** Counts the messages of this consumer, from 1. */
  readonly sequence: number
  /** By the clock of the server. */
  readonly storedMs: number
  /** How many messages are still to come. */
  readonly pending: number
}

/**
 * Read from the reply subject of the message: `$JS.ACK`, stream, consumer, deliveries, the two sequence numbers,
 * nanoseconds and the pending count. Servers with domains insert two parts before the stream and append some.
 */
export function readDelivery(reply: string | undefined): Delivery | undefined {
  if (reply?.startsWith('$JS.ACK.') !== true) return undefined
  const parts = reply.split('.')
  const [streamSequence, sequence, nanoseconds = '', pending] = parts.slice(parts.length === 9 ? 5 : 7)
  const storedMs = Number(nanoseconds.slice(0, -NANOSECOND_DIGITS))
  const read = {
    streamSequence: Number(streamSequence),
    sequence: Number(sequence),
    storedMs,
    pending: Number(pending),
  }
  return Object.values(read).every(Number.isSafeInteger) ? read : undefined
}

/** A millisecond has a million nanoseconds; nanoseconds since 1970 exceed the safe integers. */
const NANOSECOND_DIGITS = 6
