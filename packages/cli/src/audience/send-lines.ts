import type { Client, Sleep } from '@continuity/client'
import { isProblem } from '@continuity/client/problem'
import type { LogLine } from './read-log-line.ts'

export type ImportAnswer = Awaited<ReturnType<Client['importAudienceLines']>>

/** The service's limits of lines and channels per request, and less than its limit of bytes. */
const LINES = 10_000
const CHANNELS = 200
const BYTES = 3_500_000

/** About ten megabytes. Lines are sorted by channel, so that the service loads each timeline once. */
export const LINES_SORTED = 50_000

const TRIES = 6
const WAIT_MS = 2_000

/** Sends lines in as many requests as needed. */
export async function* sendLines(
  client: Pick<Client, 'importAudienceLines'>,
  lines: readonly LogLine[],
  sleep: Sleep,
): AsyncGenerator<ImportAnswer, void, undefined> {
  const sorted = lines.toSorted((one, other) => (one.linear_channel_id < other.linear_channel_id ? -1 : 1))
  for (const part of partsOf(sorted)) yield await sendPart(client, part, sleep)
}

/** The service counts each line once, so a failed request can be repeated. */
async function sendPart(
  client: Pick<Client, 'importAudienceLines'>,
  lines: LogLine[],
  sleep: Sleep,
): Promise<ImportAnswer> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await client.importAudienceLines({ body: { lines } })
    } catch (error) {
      const isFinal = isProblem(error) && error.status < 500
      if (isFinal || tried === TRIES) throw error
      await sleep(WAIT_MS * tried)
    }
  }
}

function* partsOf(lines: readonly LogLine[]): Generator<LogLine[]> {
  let part: LogLine[] = []
  let channels = new Set<string>()
  let bytes = 0
  for (const line of lines) {
    const length = JSON.stringify(line).length + 1
    const isNew = !channels.has(line.linear_channel_id)
    if (part.length === LINES || bytes + length > BYTES || (isNew && channels.size === CHANNELS)) {
      yield part
      part = []
      channels = new Set()
      bytes = 0
    }
    part.push(line)
    channels.add(line.linear_channel_id)
    bytes += length
  }
  if (part.length > 0) yield part
}
