import { msOf, ticksOf } from '../time/ticks.ts'
import type { Span } from '../timeline/span.ts'
import { addProgram } from './add-program.ts'
import { enterProgram } from './enter-program.ts'
import { leaveOutRest } from './leave-out.ts'
import type { Placement } from './placement.ts'
import { airingOfFill, planFill, showWhole } from './plan-fill.ts'
import type { ScheduledProgram, Slates } from './scheduled-program.ts'
import { addPlacement, isEnough, type Sheet } from './sheet.ts'
import { evenSlates, looped, NEAR_TICKS, segmentsNearest, segmentsToReach } from './slate.ts'
import type { Warning } from './warning.ts'

export interface LayoutParams {
  readonly fromTicks: number
  readonly untilTicks: number
  /** In any order; their windows do not overlap. */
  readonly programs: readonly ScheduledProgram[]
  readonly slates: Slates
  /**
   * What is shown up to `fromTicks`, cut to the segments that are shown. The program that it belongs to is
   * continued.
   */
  readonly before?: Span | undefined
}

export interface Layout {
  readonly placements: readonly Placement[]
  readonly warnings: readonly Warning[]
}

/**
 * Lays out programs on segment boundaries: each placement begins where the previous one ends.
 *
 * Every window is filled or cut to within half a segment of a slate, so each program begins that near to its
 * start and deviations do not accumulate. Only a slate outside of programs is cut at `untilTicks`; everything
 * else runs to its own end, so laying out in portions gives the same placements.
 */
export function layOut({ fromTicks, untilTicks, programs, slates: given, before }: LayoutParams): Layout {
  const slates = evenSlates(given)
  const sheet: Sheet = { placements: [], warnings: [], endTicks: fromTicks, untilTicks, slates, before }
  for (const scheduled of inOrder(programs, fromTicks)) {
    fillUncovered(sheet, ticksOf(scheduled.program.startMs))
    if (isEnough(sheet)) break
    const leftTicks = ticksOf(scheduled.program.endMs) - sheet.endTicks
    const entry = enterProgram(sheet, scheduled)
    if (leftTicks >= NEAR_TICKS) addProgram(sheet, entry)
    else leaveOutRest(sheet, entry.plan)
  }
  fillUncovered(sheet, undefined)
  return { placements: sheet.placements, warnings: sheet.warnings }
}

/** Programs that have not ended, by start. */
function inOrder(programs: readonly ScheduledProgram[], fromTicks: number): readonly ScheduledProgram[] {
  return programs
    .filter(({ program }) => ticksOf(program.endMs) > fromTicks)
    .toSorted((one, other) => one.program.startMs - other.program.startMs)
}

/** Fills up to the start of a program; without one, to the end of the layout. */
function fillUncovered(sheet: Sheet, programTicks: number | undefined): void {
  const wantedTicks = sheet.untilTicks - sheet.endTicks
  const ticks = programTicks === undefined ? wantedTicks : programTicks - sheet.endTicks
  if (ticks <= 0 || wantedTicks <= 0) return
  const fill = planFill({ startMs: msOf(sheet.endTicks), ticks, wantedTicks }, sheet.slates)
  for (const [at, { filler, segments }] of fill.fillers.entries()) {
    addPlacement(sheet, { segments, show: showWhole(filler.media), airing: airingOfFill(null, at, filler) })
  }
  const segments = Math.min(
    segmentsToReach(fill.slate, sheet.untilTicks - sheet.endTicks),
    programTicks === undefined ? Infinity : segmentsNearest(fill.slate, programTicks - sheet.endTicks),
  )
  addPlacement(sheet, { segments, show: looped(fill.slate), airing: airingOfFill(null, fill.fillers.length) })
  if (fill.isLackingFillers) sheet.warnings.push({ code: 'no_filler', programId: null, item: null, ticks })
}
