import { openByteReader, openByteWriter } from '../timeline/codec/bytes.ts'
import type { PackedRun } from '../timeline/codec/packed.ts'
import { readSummed, writeSum } from '../timeline/codec/sum.ts'
import { type DeltaMessage, type FeedMessage, FIRST_EPOCH } from './feed-message.ts'

const FORMAT = 1

/** An update of the feed as sent and as stored by nodes: a head in JSON, the bytes of its runs, a checksum. */
export function encodeUpdate(message: FeedMessage): Uint8Array {
  const runs = message.kind === 'whole' ? message.timeline.runs : message.runs
  const head = new TextEncoder().encode(JSON.stringify(headOf(message)))
  const writer = openByteWriter()
  writer.count(FORMAT)
  writer.count(head.length)
  writer.bytes(head)
  for (const { bytes } of runs) writer.bytes(bytes)
  writeSum(writer)
  return writer.written()
}

/** Undefined if any byte differs from what was written. */
export function decodeUpdate(source: Uint8Array): FeedMessage | undefined {
  const body = readSummed(source)
  if (body === undefined) return undefined
  const reader = openByteReader(body)
  if (reader.count() !== FORMAT) return undefined
  const text = new TextDecoder().decode(reader.bytes(reader.count()))
  if (reader.isCorrupt()) return undefined
  const { runs: rows, ...rest } = withEpoch(JSON.parse(text) as Head)
  // A copy: the bytes of a run must not keep a whole message or file in memory.
  const runs = rows.map((row) => readRow(row, (length) => new Uint8Array(reader.bytes(length))))
  if (reader.isCorrupt()) return undefined
  if (rest.kind === 'change') return { ...rest, runs }
  const { timelineVersion, ...whole } = rest
  return { ...whole, timeline: { version: timelineVersion, runs } }
}

type RunRow = readonly [
  number: number,
  firstSequence: number,
  startTicks: number,
  endSequence: number,
  endTicks: number,
  discontinuity: number | null,
  isStart: 0 | 1,
  isEnd: 0 | 1,
  length: number,
]

type Head = { readonly runs: readonly RunRow[] } & (
  | Omit<DeltaMessage, 'runs'>
  | (Omit<Extract<FeedMessage, { kind: 'whole' }>, 'timeline'> & { readonly timelineVersion: number })
)

/** The release before epochs wrote none. */
const withEpoch = (head: Head): Head => ({ ...head, epoch: head.epoch ?? FIRST_EPOCH })

function headOf(message: FeedMessage): Head {
  if (message.kind === 'change') return { ...message, runs: message.runs.map(rowOf) }
  const { timeline, ...rest } = message
  return { ...rest, timelineVersion: timeline.version, runs: timeline.runs.map(rowOf) }
}

const rowOf = (run: PackedRun): RunRow => [
  run.number,
  run.firstSequence,
  run.startTicks,
  run.endSequence,
  run.endTicks,
  run.discontinuity,
  run.isStart ? 1 : 0,
  run.isEnd ? 1 : 0,
  run.bytes.length,
]

function readRow(row: RunRow, readBytes: (length: number) => Uint8Array): PackedRun {
  const [number, firstSequence, startTicks, endSequence, endTicks, discontinuity, isStart, isEnd, length] =
    row
  return {
    number,
    firstSequence,
    startTicks,
    endSequence,
    endTicks,
    discontinuity,
    isStart: isStart === 1,
    isEnd: isEnd === 1,
    bytes: readBytes(length),
  }
}
