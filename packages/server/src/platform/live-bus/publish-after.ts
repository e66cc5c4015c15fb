import { JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import { ANSWER_MS, manageStreams, WRONG_LAST_SEQUENCE } from '../feed/feed-stream.ts'

/**
 * Publishes a message if the last one of its subject has the expected sequence, 0 for none. Returns its sequence, or
 * undefined where another process has published; throws when the broker does not answer, which may be retried.
 */
export async function publishAfter(
  bus: Bus,
  subject: string,
  text: string,
  expected: number,
): Promise<number | undefined> {
  try {
    const expect = { lastSubjectSequence: expected }
    const { seq } = await jetstream(connectionOf(bus)).publish(subject, text, { expect, timeout: ANSWER_MS })
    return seq
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return undefined
    throw error
  }
}

/** The last message of a subject; null where there is none, or no worker has created the stream yet. */
export async function readLast(bus: Bus, stream: string, subject: string) {
  const { streams } = await manageStreams(connectionOf(bus))
  try {
    return await streams.getMessage(stream, { last_by_subj: subject })
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null
    throw error
  }
}

function connectionOf(bus: Bus): NatsConnection {
  const nc = bus.connection()
  if (nc === undefined) throw new Error('NATS is unavailable')
  return nc
}
