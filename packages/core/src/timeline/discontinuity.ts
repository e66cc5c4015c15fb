import type { FindLog } from './live-log.ts'
import { loopOf } from './media.ts'
import type { Timeline } from './run.ts'
import { continues, type Shown, shownAt, shownInSlot } from './shown.ts'
import type { LiveShow, Span } from './span.ts'

/** What the live spans of a timeline show, and what was counted in them already. */
export interface LiveView {
  readonly findLog: FindLog
  /** By source and by span; kept, because a span may last for days. */
  readonly counted: Map<string, Map<string, number[]>>
}

export const createLiveView = (findLog: FindLog): LiveView => ({ findLog, counted: new Map() })

/** For whoever learns of a source what it had held for known: after a time without its log, or from a log read anew. */
export function forgetCounts({ counted }: LiveView, sourceId: string): void {
  counted.delete(sourceId)
}

/** For timelines without live spans. */
export const noLive: LiveView = createLiveView(() => undefined)

/** Slots between two kept counts. */
const STEP = 32

/** Spans with kept counts; past that all are forgotten, and counted anew as they are needed. */
const KEPT_SPANS = 4_096

/** Discontinuities between the first segment of a span and its segment `at`. */
export function discontinuitiesWithin({ show }: Pick<Span, 'show'>, at: number, live: LiveView): number {
  if (show.kind === 'live') return countLive(show, at, live)
  if (!show.isLooped) return 0
  return Math.floor((show.firstSegment + at) / loopOf(show.media).segments)
}

/** The discontinuity number of the first segment of a run. */
export function discontinuityOfRun({ runs }: Timeline, run: number, live: LiveView): number {
  const known = runs[run]!.discontinuity
  if (known !== null) return known
  const before = runs[run - 1]
  // Nobody forgets what a number follows from; this is a part of a timeline that begins with such a run.
  if (before === undefined) return 0
  const number = discontinuityOfRun({ version: 0, runs }, run - 1, live)
  return number + discontinuityAfter(before.spans.at(-1)!, runs[run]!.spans[0], live)
}

/** What the span after another has, counted from the same segment; without one, what the last segment has. */
export function discontinuityAfter(
  before: Span,
  after: Pick<Span, 'show'> | undefined,
  live: LiveView,
): number {
  const number = before.discontinuity + discontinuitiesWithin(before, before.segments - 1, live)
  return after === undefined || isJoined(before, after, live.findLog) ? number : number + 1
}

/** Whether the first segment of a span goes on where the last of the span before ended. */
export function isJoined(before: Span, after: Pick<Span, 'show'>, findLog: FindLog): boolean {
  // The number of a run that cuts to a source is written before anybody knows what the source has in its first slot.
  if (before.show.kind === 'asset' && after.show.kind === 'live') return false
  return continues(shownAt(before, before.segments - 1, findLog), shownAt(after, 0, findLog))
}

function countLive(show: LiveShow, at: number, live: LiveView): number {
  const log = live.findLog(show.sourceId)
  const knownUntil = log?.knownUntil ?? 0
  const kept = log === undefined ? [0] : keptCounts(show, live)
  const from = Math.min(Math.floor(at / STEP), kept.length - 1)
  let count = kept[from]!
  let before: Shown = shownInSlot(show, show.firstSlot + from * STEP, log)
  for (let i = from * STEP + 1; i <= at; i += 1) {
    const shown = shownInSlot(show, show.firstSlot + i, log)
    if (!continues(before, shown)) count += 1
    before = shown
    // What may still change is counted anew each time.
    if (i === kept.length * STEP && show.firstSlot + i < knownUntil) kept.push(count)
  }
  return count
}

/** By all that a count follows from, and not by the span itself: a node that unpacks a timeline anew has others. */
function keptCounts({ sourceId, firstSlot, slotTicks, fill }: LiveShow, { counted }: LiveView): number[] {
  const span = `${firstSlot}/${slotTicks}/${fill.path}`
  const found = counted.get(sourceId)?.get(span)
  if (found !== undefined) return found
  if (countSpans(counted) >= KEPT_SPANS) counted.clear()
  const ofSource = counted.get(sourceId) ?? new Map<string, number[]>()
  const kept = [0]
  counted.set(sourceId, ofSource.set(span, kept))
  return kept
}

function countSpans(counted: LiveView['counted']): number {
  let spans = 0
  for (const ofSource of counted.values()) spans += ofSource.size
  return spans
}
