import type { Memory } from './memory.ts'
import { type Cue, ROUNDING_MS, type Segment } from './playlist.ts'
import type { Report } from './rules.ts'

/** Compares a window with the previous one: segments may leave at the head and be added at the end, nothing else. */
export function checkNumbers(
  window: readonly Segment[],
  memory: Memory,
  highestFirst: number | undefined,
  report: Report,
): void {
  const [first, last, known] = [window[0], window.at(-1), memory.last()]
  if (first === undefined || last === undefined || known === undefined) return
  if (highestFirst !== undefined && first.sequence < highestFirst) {
    report('media-sequence-fell', `${first.sequence}, was ${highestFirst}`)
    return
  }
  if (last.sequence < known.sequence) {
    report('segments-taken-back', `up to ${last.sequence}, was up to ${known.sequence}`)
  }
  if (first.sequence > known.sequence && first.discontinuity < known.discontinuity) {
    report('discontinuity-sequence-fell', `${first.discontinuity}, was ${known.discontinuity}`)
  }
  checkKnown(window, memory, report)
}

/** Stops at the first segment that changed: most of those after it have changed too. */
function checkKnown(window: readonly Segment[], memory: Memory, report: Report): void {
  for (const [at, segment] of window.entries()) {
    const known = memory.recall(segment.sequence)
    if (known === undefined || known === segment) continue
    const rule = changeOf(segment, known, at === 0)
    if (rule !== undefined) {
      report(rule, `${segment.sequence}: ${describe(segment)}, was ${describe(known)}`)
      return
    }
  }
}

function changeOf(segment: Segment, known: Segment, isFirst: boolean) {
  if (segment.uri !== known.uri) return 'uri-changed'
  if (segment.durationMs !== known.durationMs) return 'duration-changed'
  if (segment.discontinuity !== known.discontinuity) {
    return isFirst ? 'discontinuity-sequence-wrong' : 'discontinuity-changed'
  }
  if (hasMoved(segment, known)) return 'pdt-changed'
  return isSameCues(segment.cues, known.cues) ? undefined : 'cue-changed'
}

/** Two PROGRAM-DATE-TIMEs must be equal; a computed time may differ by the rounding. */
const hasMoved = (segment: Segment, known: Segment): boolean =>
  segment.pdtMs !== undefined && known.pdtMs !== undefined
    ? segment.pdtMs !== known.pdtMs
    : Math.abs(segment.startMs - known.startMs) > ROUNDING_MS

const isSameCues = (one: readonly Cue[], other: readonly Cue[]): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

const describe = ({ uri, durationMs, discontinuity, startMs, cues }: Segment): string =>
  `${uri} of ${durationMs} ms at ${startMs} after ${discontinuity} joins ${cues.map(({ kind }) => kind).join()}`
