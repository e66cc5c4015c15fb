import { msOf, ticksOf } from '../time/ticks.ts'
import type { Program, WindowedProgram } from '../timeline/span.ts'
import { type GuideEntry, type GuideSpan, showEntries } from './guide-entry.ts'
import { expectedEndMs, isOpenOverride } from './open-override.ts'
import { inOrderOfStart } from './scheduled-programs.ts'

export interface GuideOrder {
  /** The committed timeline, in order and without holes: from `fromMs` or before to its end, or to `toMs` or after. */
  readonly aired: readonly GuideSpan[]
  /** What is scheduled where nothing is committed, or where an open override lies; more of it does no harm. */
  readonly programs: readonly Program[]
  readonly committedUntilMs: number
  readonly nowMs: number
  readonly fromMs: number
  readonly toMs: number
}

/**
 * What is on between two times: as it aired or is committed, and beyond that as it is scheduled. Airings that reach
 * over the edges are given whole. They never overlap; time without a program is in none.
 */
export function guideBetween(order: GuideOrder): GuideEntry[] {
  const scheduled = inOrderOfStart([...order.aired.map(({ program }) => program), ...order.programs])
  const committed = commitUntil(order, scheduled)
  const entries = showEntries([...committed, ...planAfter(committed, scheduled)])
  return entries.filter(({ startMs, endMs }) => endMs > order.fromMs && startMs < order.toMs)
}

/** The spans up to where the plan takes over. */
function commitUntil(order: GuideOrder, scheduled: readonly WindowedProgram[]): readonly GuideSpan[] {
  const { aired, nowMs } = order
  const committedTicks = ticksOf(order.committedUntilMs)
  const last = aired.at(-1)
  if (last === undefined) return [{ program: null, startTicks: committedTicks, endTicks: committedTicks }]
  if (isOpenOverride(last.program, msOf(last.endTicks), nowMs)) {
    const endMs = expectedEndMs(msOf(last.startTicks), nowMs, scheduled)
    return [...aired.slice(0, -1), { ...last, endTicks: ticksOf(endMs) }]
  }
  // Rounded to milliseconds the committed end may lie a little behind the last span, and a program would be in two.
  if (committedTicks - last.endTicks < ticksOf(1)) return aired
  return [...aired, { program: null, startTicks: last.endTicks, endTicks: committedTicks }]
}

/** The scheduled programs after all that is committed, the first without what is covered of it. */
function* planAfter(
  committed: readonly GuideSpan[],
  scheduled: readonly WindowedProgram[],
): Generator<GuideSpan> {
  let untilTicks = committed.at(-1)!.endTicks
  for (const program of scheduled) {
    const endTicks = ticksOf(program.endMs)
    if (endTicks <= untilTicks) continue
    const startTicks = Math.max(ticksOf(program.startMs), untilTicks)
    if (startTicks > untilTicks) yield { program: null, startTicks: untilTicks, endTicks: startTicks }
    yield { program, startTicks, endTicks }
    untilTicks = endTicks
  }
}
