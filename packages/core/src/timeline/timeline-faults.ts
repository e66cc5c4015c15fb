import { discontinuityAfter, noLive } from './discontinuity.ts'
import { endSequenceOf, endTicksOf, type Run, type Timeline } from './run.ts'
import { endOfSpan, hasNoEnd, type Span } from './span.ts'

/** What must hold for every timeline, and does not for this one; nothing where all is well. */
export function faultsOf({ runs }: Timeline): string[] {
  return runs.flatMap((run, at) => [
    ...faultsWithin(run),
    ...(at === 0 ? [] : faultsBetween(runs[at - 1]!, run)),
    ...(at < runs.length - 1 || run.isEnd || isOpen(run)
      ? []
      : [`run ${run.number} ends, and nothing follows`]),
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
  const said = `run ${after.number}`
  const isNext = after.firstSequence === endSequenceOf(before)
  const isStart = after.shownFromTicks !== null
  const isThen = isStart ? after.startTicks >= endTicksOf(before) : after.startTicks === endTicksOf(before)
  return [
    ...(isNext ? [] : [`${said} leaves out or repeats sequence numbers`]),
    ...(isThen ? [] : [`${said} leaves out or repeats time`]),
    ...(isStart === before.isEnd
      ? []
      : [`${said} starts a channel that was not off, or goes on with one that was`]),
    ...(after.number > before.number ? [] : [`${said} is older than the one before it`]),
  ]
}

function faultsOfSpan(span: Span, before: Span | undefined): string[] {
  const said = `the span at ${span.firstSequence}`
  const faults = [
    ...(span.segments > 0 ? [] : [`${said} is empty`]),
    ...(fits(span) ? [] : [`${said} has more segments than its media`]),
  ]
  if (before === undefined) return faults
  return [
    ...faults,
    ...(span.startTicks === endOfSpan(before) ? [] : [`${said} leaves out or repeats time`]),
    ...(span.firstSequence === before.firstSequence + before.segments
      ? []
      : [`${said} has a wrong sequence number`]),
    ...(span.discontinuity === discontinuityAfter(before, span, noLive)
      ? []
      : [`${said} has a wrong discontinuity number`]),
  ]
}

const fits = ({ show, segments }: Span): boolean =>
  show.kind === 'live' || show.isLooped || show.firstSegment + segments <= show.media.segmentCount

/** A channel that is on the air never runs out of timeline: its last span has no end. */
const isOpen = ({ spans }: Run): boolean => hasNoEnd(spans.at(-1)!)
