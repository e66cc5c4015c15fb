import { endAt, findListed, sequenceAt } from '../find.ts'
import { EDGE_TICKS, type PackedRun, type PackedTimeline, unpackBetween } from './packed.ts'
import { decodeRun } from './run-codec.ts'

/**
 * The timeline of a new epoch, preceded by what was published before it.
 *
 * If a restored database could not recover what had been published, its timeline begins with a start whose
 * numbers jump ahead. Until that start is shown, the segments published so far stay listed, so that the channel
 * does not stop; outputs with a time shift keep their past too. A timeline that continues the published one
 * already contains it.
 */
export function takeOver(published: PackedTimeline, next: PackedTimeline): PackedTimeline {
  const start = next.runs[0]
  const shownFromTicks = start?.isStart === true ? decodeRun(start.bytes)?.shownFromTicks : undefined
  if (start === undefined || shownFromTicks == null) return next
  const kept = listedBy(published, shownFromTicks).filter(
    ({ firstSequence }) => firstSequence < start.firstSequence,
  )
  const last = kept.at(-1)
  if (last === undefined || last.endSequence > start.firstSequence) return next
  return { ...next, runs: [...kept, ...next.runs] }
}

/** The runs of a timeline up to the last segment that is listed at a time. */
function listedBy(timeline: PackedTimeline, ticks: number): readonly PackedRun[] {
  // The run at that time may have just begun, and its first segment may not be listed yet.
  const unpacked = unpackBetween(timeline, ticks - EDGE_TICKS, ticks)
  const last = unpacked === undefined ? undefined : findListed(unpacked, ticks)
  if (unpacked === undefined || last === undefined) return []
  const endSequence = sequenceAt(unpacked, last) + 1
  const endTicks = endAt(unpacked, last)
  return timeline.runs
    .filter(({ firstSequence }) => firstSequence < endSequence)
    .map((run) => (run.endSequence <= endSequence ? run : { ...run, endSequence, endTicks, isEnd: false }))
}
