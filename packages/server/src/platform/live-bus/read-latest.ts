import type { Bus } from '../bus/bus.ts'
import type { LIVE_LOG_STREAM, LIVE_STREAM } from './live-streams.ts'
import { readLast } from './publish-after.ts'

/** The last message of a subject; undefined where nothing was published. Throws while the bus is unavailable. */
export type ReadLatest = (
  stream: typeof LIVE_STREAM | typeof LIVE_LOG_STREAM,
  subject: string,
) => Promise<string | undefined>

export const createLatestReader =
  (bus: Bus): ReadLatest =>
  async (stream, subject) =>
    (await readLast(bus, stream, subject))?.string()
