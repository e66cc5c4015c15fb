import { loopOf } from '../media/media.ts'
import type { FindLog } from './live-log.ts'
import type { Timeline } from './run.ts'
import { continues, type Shown, shownAt, shownInSlot } from './shown.ts'
import type { LiveShow, Span } from './span.ts'

/** The live logs that the live spans of a timeline show, and cached discontinuity counts. */
export interface LiveView {
  readonly findLog: FindLog
  /** By source and by span; cached because a span may last for days. */
  readonly counted: Map<string, Map<string, number[]>>
}

export const createLiveView = (findLog: FindLog): LiveView => ({ findLog, counted: new Map() })

/** Drops the counts of a source whose log was incomplete, or was read again. */
export function dropCounts({ counted }: LiveView, sourceId: string): void {
  counted.delete(sourceId)
}

/** For timelines without live spans. */
export const noLive: LiveView = createLiveView(() => undefined)

/** Slots between two cached counts. */
const STEP = 32

/** Largest number of spans with cached counts; above it, all counts are dropped and counted again when needed. */
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
  // Runs that a number depends on are never dropped; this is a part of a timeline that begins with such a run.
  if (before === undefined) return 0
  const number = discontinuityOfRun({ version: 0, runs }, run - 1, live)
  return number + discontinuityAfter(before.spans.at(-1)!, runs[run]!.spans[0], live)
}

/**
 * The number of the span after another, relative to the same segment; without a next span, of the last segment.
 */
export function discontinuityAfter(
  before: Span,
  after: Pick<Span, 'show'> | undefined,
  live: LiveView,
): number {
  const number = before.discontinuity + discontinuitiesWithin(before, before.segments - 1, live)
  return after === undefined || isJoined(before, after, live.findLog) ? number : number + 1
}

/** Whether the first segment of a span continues where the last one of the previous span ended. */
export function isJoined(before: Span, after: Pick<Span, 'show'>, findLog: FindLog): boolean {
  // The number of a run that cuts to a source is stored before the content of its first slot is known.
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
    // Counts that may still change are not cached.
    if (i === kept.length * STEP && show.firstSlot + i < knownUntil) kept.push(count)
  }
  return count
}

/**
 * The key contains everything that a count depends on, not the span object: a node that unpacks a timeline
 * again creates new spans.
 */
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
