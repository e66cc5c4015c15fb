import { endSequenceOf, type Run, type Timeline } from './run.ts'
import { type Span, segmentsEndedBy, startOfSegment } from './span.ts'

/** The position of a segment in a timeline. */
export interface Position {
  readonly run: number
  readonly span: number
  readonly segment: number
}

/**
 * The last segment that is listed at a time; undefined before the first one and while the channel is off the
 * air.
 */
export function findListed({ runs }: Timeline, ticks: number): Position | undefined {
  for (let run = lastIndexBy(runs, shownFrom, ticks); run >= 0; run -= 1) {
    const { spans, shownFromTicks } = runs[run]!
    for (let span = lastIndexBy(spans, startTicksOf, ticks); span >= 0; span -= 1) {
      const ended = segmentsEndedBy(spans[span]!, ticks - spans[span]!.startTicks)
      if (ended > 0) return { run, span, segment: ended - 1 }
    }
    if (shownFromTicks !== null) return undefined
  }
  return undefined
}

/** The segment with that sequence number. */
export function findSequence({ runs }: Timeline, sequence: number): Position | undefined {
  const run = lastIndexBy(runs, firstSequenceOf, sequence)
  if (run < 0 || sequence >= endSequenceOf(runs[run]!)) return undefined
  const { spans } = runs[run]!
  const span = lastIndexBy(spans, firstSequenceOf, sequence)
  return { run, span, segment: sequence - spans[span]!.firstSequence }
}

/** The segment that plays at a time. */
export function findPlaying(timeline: Timeline, ticks: number): Position | undefined {
  const { runs } = timeline
  for (let run = lastIndexBy(runs, startTicksOf, ticks); run >= 0; run -= 1) {
    const { spans } = runs[run]!
    const span = lastIndexBy(spans, startTicksOf, ticks)
    if (span < 0) continue
    const segment = segmentsEndedBy(spans[span]!, ticks - spans[span]!.startTicks)
    return segment < spans[span]!.segments ? { run, span, segment } : undefined
  }
  return undefined
}

export const spanAt = ({ runs }: Timeline, { run, span }: Position): Span => runs[run]!.spans[span]!

/** The next segment; undefined at the end of the timeline or of a channel that goes off the air. */
export function nextPosition({ runs }: Timeline, { run, span, segment }: Position): Position | undefined {
  if (segment + 1 < runs[run]!.spans[span]!.segments) return { run, span, segment: segment + 1 }
  if (span + 1 < runs[run]!.spans.length) return { run, span: span + 1, segment: 0 }
  return run + 1 < runs.length && !runs[run]!.isEnd ? { run: run + 1, span: 0, segment: 0 } : undefined
}

/** The span before a sequence number, cut to end there. */
export function spanUpTo(timeline: Timeline, sequence: number): Span | undefined {
  const at = findSequence(timeline, sequence - 1)
  return at === undefined ? undefined : { ...spanAt(timeline, at), segments: at.segment + 1 }
}

export const sequenceAt = (timeline: Timeline, position: Position): number =>
  spanAt(timeline, position).firstSequence + position.segment

export const startAt = (timeline: Timeline, position: Position): number =>
  startOfSegment(spanAt(timeline, position), position.segment)

export const endAt = (timeline: Timeline, position: Position): number =>
  startOfSegment(spanAt(timeline, position), position.segment + 1)

/** Index of the last item of a sorted list that is not above a value; -1 if all are above it. */
export function lastIndexBy<T>(list: readonly T[], of: (item: T) => number, value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (of(list[middle]!) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

export const startTicksOf = ({ startTicks }: { readonly startTicks: number }): number => startTicks
export const firstSequenceOf = ({ firstSequence }: { readonly firstSequence: number }): number =>
  firstSequence
const shownFrom = ({ shownFromTicks, startTicks }: Run): number => shownFromTicks ?? startTicks
