import { discontinuityAfter, noLive } from './discontinuity.ts'
import { endSequenceOf, endTicksOf, type Run, type Timeline } from './run.ts'
import { endOfSpan, hasNoEnd, type Span } from './span.ts'

/** The invariants of a timeline that this one violates; empty if it is valid. */
export function faultsOf({ runs }: Timeline): string[] {
  return runs.flatMap((run, at) => [
    ...faultsWithin(run),
    ...(at === 0 ? [] : faultsBetween(runs[at - 1]!, run)),
    ...(at < runs.length - 1 || run.isEnd || isOpen(run)
      ? []
      : [`run ${run.number} is the last one, and has an end`]),
  ])
}

function faultsWithin(run: Run): string[] {
  const first = run.spans[0]
  if (first === undefined) return [`run ${run.number} is empty`]
  const isAtHead = first.startTicks === run.startTicks && first.firstSequence === run.firstSequence
  return [
    ...(isAtHead && first.discontinuity === 0
      ? []
      : [`run ${run.number} does not begin where its first span does`]),
    ...run.spans.flatMap((span, at) => faultsOfSpan(span, run.spans[at - 1])),
  ]
}

function faultsBetween(before: Run, after: Run): string[] {
  const name = `run ${after.number}`
  const isNext = after.firstSequence === endSequenceOf(before)
  const isStart = after.shownFromTicks !== null
  const isThen = isStart ? after.startTicks >= endTicksOf(before) : after.startTicks === endTicksOf(before)
  return [
    ...(isNext ? [] : [`${name} leaves out or repeats sequence numbers`]),
    ...(isThen ? [] : [`${name} leaves out or repeats time`]),
    ...(isStart === before.isEnd
      ? []
      : [`${name} starts a channel that is on, or continues one that is off`]),
    ...(after.number > before.number ? [] : [`${name} is older than the one before it`]),
  ]
}

function faultsOfSpan(span: Span, before: Span | undefined): string[] {
  const name = `the span at ${span.firstSequence}`
  const faults = [
    ...(span.segments > 0 ? [] : [`${name} is empty`]),
    ...(fits(span) ? [] : [`${name} has more segments than its media`]),
  ]
  if (before === undefined) return faults
  return [
    ...faults,
    ...(span.startTicks === endOfSpan(before) ? [] : [`${name} leaves out or repeats time`]),
    ...(span.firstSequence === before.firstSequence + before.segments
      ? []
      : [`${name} has a wrong sequence number`]),
    ...(span.discontinuity === discontinuityAfter(before, span, noLive)
      ? []
      : [`${name} has a wrong discontinuity number`]),
  ]
}

const fits = ({ show, segments }: Span): boolean =>
  show.kind === 'live' || show.isLooped || show.firstSegment + segments <= show.media.segmentCount

/** A channel on the air never runs out of timeline: its last span has no end. */
const isOpen = ({ spans }: Run): boolean => hasNoEnd(spans.at(-1)!)
