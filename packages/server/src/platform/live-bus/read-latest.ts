import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import type { Bus } from '../bus.ts'
import type { LIVE_LOG_STREAM, LIVE_STREAM } from './live-streams.ts'
import { readLast } from './publish-after.ts'

/** The last message of a subject; undefined where nothing was published. Throws while the bus is unavailable. */
export type ReadLatest = (
  stream: typeof LIVE_STREAM | typeof LIVE_LOG_STREAM,
  subject: string,
) => Promise<string | undefined>

export const createLatestReader =
  (bus: Bus): ReadLatest =>
  async (stream, subject) => {
    try {
      return (await readLast(bus, stream, subject))?.string()
    } catch (error) {
      // No worker has made the stream yet, so there is nothing in it.
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
        return undefined
      throw error
    }
  }
