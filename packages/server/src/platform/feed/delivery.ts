/** What JetStream says of a message that it delivers. */
export interface Delivery {
  readonly streamSequence: number
  /** Counts what this consumer was sent, from 1. */
  readonly sequence: number
  /** By the clock of the server. */
  readonly storedMs: number
  /** So many come after it, by now. */
  readonly pending: number
}

/**
 * Read from the subject on which the message would be acknowledged: `$JS.ACK`, stream, consumer, tries, the two
 * sequence numbers, nanoseconds and what is pending. Servers that know domains put two parts before the stream and some
 * after the end.
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

/** A millisecond has a million nanoseconds, and as many as there are since 1970 no number holds exactly. */
const NANOSECOND_DIGITS = 6
