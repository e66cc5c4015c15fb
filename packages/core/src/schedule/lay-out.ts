import { msOf, ticksOf } from '../time/ticks.ts'
import type { Span } from '../timeline/span.ts'
import { addProgram } from './add-program.ts'
import { enterProgram } from './enter-program.ts'
import { leaveOutRest } from './leave-out.ts'
import type { Piece } from './piece.ts'
import { airingOfFill, planFill, showWhole } from './plan-fill.ts'
import type { ScheduledProgram, Slates } from './scheduled-program.ts'
import { addPiece, isEnough, type Sheet } from './sheet.ts'
import { evenSlates, looped, NEAR_TICKS, segmentsNearest, segmentsToReach } from './slate.ts'
import type { Warning } from './warning.ts'

export interface LayoutOrder {
  readonly fromTicks: number
  readonly untilTicks: number
  /** In any order; their windows do not overlap. */
  readonly programs: readonly ScheduledProgram[]
  readonly slates: Slates
  /** What is shown up to `fromTicks`, cut to the segments that are shown. A program that it is part of goes on. */
  readonly before?: Span | undefined
}

export interface Layout {
  readonly pieces: readonly Piece[]
  readonly warnings: readonly Warning[]
}

/**
 * Places programs in time, on segment boundaries: each piece begins where the one before ends.
 *
 * Every window is filled or cut to within half a slate's segment of its end, so that each program begins that near
 * to its time and nothing adds up, however many follow one another. Only a slate in time that no program covers is
 * cut where the order ends; all else runs to its own end, so that ordering in portions gives the same pieces.
 */
export function layOut({ fromTicks, untilTicks, programs, slates: given, before }: LayoutOrder): Layout {
  const slates = evenSlates(given)
  const sheet: Sheet = { pieces: [], warnings: [], endTicks: fromTicks, untilTicks, slates, before }
  for (const scheduled of inOrder(programs, fromTicks)) {
    fillUncovered(sheet, ticksOf(scheduled.program.startMs))
    if (isEnough(sheet)) break
    const leftTicks = ticksOf(scheduled.program.endMs) - sheet.endTicks
    const entry = enterProgram(sheet, scheduled)
    if (leftTicks >= NEAR_TICKS) addProgram(sheet, entry)
    else leaveOutRest(sheet, entry.plan)
  }
  fillUncovered(sheet, undefined)
  return { pieces: sheet.pieces, warnings: sheet.warnings }
}

/** Those that have not ended yet. */
function inOrder(programs: readonly ScheduledProgram[], fromTicks: number): readonly ScheduledProgram[] {
  return programs
    .filter(({ program }) => ticksOf(program.endMs) > fromTicks)
    .toSorted((one, other) => one.program.startMs - other.program.startMs)
}

/** Fills up to where a program begins; without one, to the end of the order. */
function fillUncovered(sheet: Sheet, programTicks: number | undefined): void {
  const wantedTicks = sheet.untilTicks - sheet.endTicks
  const ticks = programTicks === undefined ? wantedTicks : programTicks - sheet.endTicks
  if (ticks <= 0 || wantedTicks <= 0) return
  const fill = planFill({ startMs: msOf(sheet.endTicks), ticks, wantedTicks }, sheet.slates)
  for (const [at, { filler, segments }] of fill.fillers.entries()) {
    addPiece(sheet, { segments, show: showWhole(filler.media), airing: airingOfFill(null, at, filler) })
  }
  const segments = Math.min(
    segmentsToReach(fill.slate, sheet.untilTicks - sheet.endTicks),
    programTicks === undefined ? Infinity : segmentsNearest(fill.slate, programTicks - sheet.endTicks),
  )
  addPiece(sheet, { segments, show: looped(fill.slate), airing: airingOfFill(null, fill.fillers.length) })
  if (fill.isLackingFillers) sheet.warnings.push({ code: 'no_filler', programId: null, item: null, ticks })
}
