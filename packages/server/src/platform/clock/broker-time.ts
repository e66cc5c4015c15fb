import { DiscardPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import type { ServerTime } from './reference-clock.ts'

export const CLOCK_STREAM = 'CLOCK'
export const CLOCK_SUBJECT = 'clock.probe'

/** Timeout of a request; the next reading comes later. */
const ANSWER_MS = 1_000

/** Every process sends one message a second at most and reads it at once, so a minute is plenty. */
const KEPT_MS = 60_000
const KEPT_MESSAGES = 1_000

/**
 * Reads the clock of NATS: publishes an empty message to an in-memory stream and reads back when it was stored, which is
 * between sending it and the acknowledgement. nats-server 2.9 returns its time in no other answer.
 */
export function createBrokerTime(bus: Bus, replicas: number): () => Promise<ServerTime | undefined> {
  let isEnsured = false // whether the stream exists; checked again after every failure
  return async () => {
    const nc = bus.connection()
    if (nc === undefined) return undefined
    try {
      if (!isEnsured) await ensureStream(nc, replicas)
      isEnsured = true
      return await readTime(nc)
    } catch (error) {
      isEnsured = false
      throw error
    }
  }
}

/** The current time of NATS. */
export function createBrokerClock(bus: Bus, replicas: number): () => Promise<number> {
  const read = createBrokerTime(bus, replicas)
  return async () => {
    const time = await read()
    if (time === undefined) throw new Error('NATS is unavailable')
    return time.serverMs
  }
}

async function readTime(nc: NatsConnection): Promise<ServerTime | undefined> {
  const { streams } = await jetstreamManager(nc, { checkAPI: false, timeout: ANSWER_MS })
  const fromMs = performance.now()
  const { seq } = await jetstream(nc).publish(CLOCK_SUBJECT, '', { timeout: ANSWER_MS })
  const toMs = performance.now()
  const stored = await streams.getMessage(CLOCK_STREAM, { seq })
  return stored === null ? undefined : { serverMs: stored.time.getTime(), fromMs, toMs }
}

/** Creates the stream unless it exists. One with other settings works as well. */
async function ensureStream(nc: NatsConnection, replicas: number): Promise<void> {
  const { streams } = await jetstreamManager(nc, { checkAPI: false, timeout: ANSWER_MS })
  const exists = await streams.info(CLOCK_STREAM).then(
    () => true,
    () => false,
  )
  if (exists) return
  await streams.add({
    name: CLOCK_STREAM,
    subjects: [CLOCK_SUBJECT],
    storage: StorageType.Memory,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    max_age: nanos(KEPT_MS),
    max_msgs: KEPT_MESSAGES,
  })
}
