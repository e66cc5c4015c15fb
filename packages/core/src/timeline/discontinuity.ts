import type { FindLog } from './live-log.ts'
import { loopOf } from './media.ts'
import type { Timeline } from './run.ts'
import { continues, type Shown, shownAt, shownInSlot } from './shown.ts'
import type { LiveShow, Show, Span } from './span.ts'

/** What the live spans of a timeline show, and what was counted in them already. */
export interface LiveView {
  readonly findLog: FindLog
  /** Discontinuities of a live span at every so many of its segments; kept, because a span may last for days. */
  readonly counted: WeakMap<LiveShow, number[]>
}

export const createLiveView = (findLog: FindLog): LiveView => ({ findLog, counted: new WeakMap() })

/** For timelines without live spans. */
export const noLive: LiveView = createLiveView(() => undefined)

/** Slots between two kept counts. */
const STEP = 32

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
  // What came before has been forgotten; whoever forgets writes the number down first.
  if (before === undefined) return 0
  const last = before.spans.at(-1)!
  const numberOfLast =
    discontinuityOfRun({ version: 0, runs }, run - 1, live) +
    last.discontinuity +
    discontinuitiesWithin(last, last.segments - 1, live)
  const first = runs[run]!.spans[0]!
  return numberOfLast + (isJoined(last, first, live.findLog) ? 0 : 1)
}

/** Whether the first segment of a span goes on where the last of the span before ended. */
export const isJoined = (before: Span, after: { readonly show: Show }, findLog: FindLog): boolean =>
  continues(shownAt(before, before.segments - 1, findLog), shownAt(after, 0, findLog))

function countLive(show: LiveShow, at: number, live: LiveView): number {
  const kept = keptCounts(show, live)
  const from = Math.min(Math.floor(at / STEP), kept.length - 1)
  const log = live.findLog(show.sourceId)
  let count = kept[from]!
  let before: Shown = shownInSlot(show, show.firstSlot + from * STEP, log)
  for (let i = from * STEP + 1; i <= at; i += 1) {
    const shown = shownInSlot(show, show.firstSlot + i, log)
    if (!continues(before, shown)) count += 1
    before = shown
    if (i === kept.length * STEP) kept.push(count)
  }
  return count
}

function keptCounts(show: LiveShow, { counted }: LiveView): number[] {
  const kept = counted.get(show) ?? [0]
  counted.set(show, kept)
  return kept
}
