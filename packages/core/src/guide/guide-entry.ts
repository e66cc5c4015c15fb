import { msOf, ticksOf } from '../time/ticks.ts'
import type { Program } from '../timeline/span.ts'

/** A part of a channel's time, for the guide. */
export interface GuideSpan {
  readonly program: Program | null
  readonly startTicks: number
  /** For an open override: far in the future. */
  readonly endTicks: number
  /** Of time without a program: the channel was off the air, so it is not filler either. */
  readonly isOffAir?: true
}

/** One airing of a program. A program that an override interrupted has two. */
export interface GuideEntry {
  readonly program: Program
  readonly startMs: number
  readonly endMs: number
}

/** What a guide lists: an airing, or filler time, which has no program. */
export interface ListedEntry extends Omit<GuideEntry, 'program'> {
  readonly program: Program | null
}

/**
 * A program begins on a segment boundary, up to 0.8 s off its time. A guide with 17:59:59.6 would be exact and
 * useless: up to a second off, it shows the announced time.
 */
const NEAR_TICKS = ticksOf(1_000)

/**
 * The airings of contiguous spans, and the filler time between them.
 *
 * The end of one and the start of the next are the same time, so that rounding makes neither a gap nor an
 * overlap.
 */
export function showEntries(spans: readonly GuideSpan[]): ListedEntry[] {
  const airings = joinSpans(spans)
  const entries: ListedEntry[] = []
  for (const [at, airing] of airings.entries()) {
    const shownUntilMs = entries.at(-1)?.endMs ?? Number.NEGATIVE_INFINITY
    const startMs = Math.max(shownUntilMs, shownEdge(airing.startTicks, airings[at - 1], airing))
    const endMs = shownEdge(airing.endTicks, airing, airings[at + 1])
    if (airing.isOffAir !== true && endMs > startMs) entries.push({ program: airing.program, startMs, endMs })
  }
  return entries
}

function joinSpans(spans: readonly GuideSpan[]): GuideSpan[] {
  const joined: GuideSpan[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last !== undefined && last.program?.id === span.program?.id && last.isOffAir === span.isOffAir)
      joined[joined.length - 1] = { ...last, endTicks: span.endTicks }
    else joined.push(span)
  }
  return joined
}

/**
 * The announced start of the next airing, otherwise the announced end of the previous one, otherwise the time
 * itself.
 */
function shownEdge(ticks: number, before: GuideSpan | undefined, after: GuideSpan | undefined): number {
  const announced = [after?.program?.startMs, before?.program?.endMs]
  return announced.find((ms) => ms != null && Math.abs(ticksOf(ms) - ticks) <= NEAR_TICKS) ?? msOf(ticks)
}
