import type { Run } from '../run.ts'
import { type ByteReader, openByteReader, openByteWriter } from './bytes.ts'
import { readSpans, writeSpans } from './span-codec.ts'
import { readSummed, writeSum } from './sum.ts'

const FORMAT = 1
const flags = { isEnd: 1, hasDiscontinuity: 2, isStart: 4 } as const

/** A run as sent over the feed and stored by nodes: about a tenth of the size of the objects. */
export function encodeRun(run: Run): Uint8Array {
  const writer = openByteWriter()
  writer.count(FORMAT)
  writer.count(run.number)
  writer.count(run.firstSequence)
  writer.count(run.startTicks)
  writer.count(
    (run.isEnd ? flags.isEnd : 0) +
      (run.discontinuity === null ? 0 : flags.hasDiscontinuity) +
      (run.shownFromTicks === null ? 0 : flags.isStart),
  )
  writer.count(run.discontinuity ?? 0)
  writer.count(run.shownFromTicks ?? 0)
  writeSpans(writer, run.spans)
  writeSum(writer)
  return writer.written()
}

/** Undefined if any byte differs from what was written. */
export function decodeRun(bytes: Uint8Array): Run | undefined {
  const body = readSummed(bytes)
  if (body === undefined) return undefined
  const reader = openByteReader(body)
  if (reader.count() !== FORMAT) return undefined
  const run = readRun(reader)
  return reader.isCorrupt() ? undefined : run
}

function readRun(reader: ByteReader): Run {
  const number = reader.count()
  const firstSequence = reader.count()
  const startTicks = reader.count()
  const written = reader.count()
  const discontinuity = reader.count()
  const shownFromTicks = reader.count()
  return {
    number,
    firstSequence,
    startTicks,
    discontinuity: (written & flags.hasDiscontinuity) === 0 ? null : discontinuity,
    shownFromTicks: (written & flags.isStart) === 0 ? null : shownFromTicks,
    spans: readSpans(reader, { firstSequence, startTicks }),
    isEnd: (written & flags.isEnd) !== 0,
  }
}
