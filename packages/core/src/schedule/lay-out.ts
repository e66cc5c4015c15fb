import { msOf, ticksOf } from '../time/ticks.ts'
import { type AssetShow, offsetOf, type Span, segmentsEndedBy } from '../timeline/span.ts'
import { type Entry, enterProgram } from './enter-program.ts'
import { firstSegmentOf } from './join-plan.ts'
import type { Placement } from './placement.ts'
import type { Plan, PlannedComponent, PlannedItem, PlannedShow, PlannedSlate } from './plan.ts'
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

/** Lays out the rest of a program, from its start or from the joint. */
function addProgram(sheet: Sheet, { plan, joint }: Entry): void {
  leaveOutAfterWindow(sheet, plan)
  let { segment, firstSegment } = joint
  let isFull = false
  for (let at = joint.component; at < plan.components.length; at += 1) {
    if (isEnough(sheet)) return
    const component = plan.components[at]!
    const isLast = at === plan.components.length - 1
    if (isLast || !isLeftOut(plan, component)) {
      if (component.kind === 'slate') addSlate(sheet, plan, component, firstSegment, isFull && !isLast)
      else isFull = !addShow(sheet, plan, component, { segment, firstSegment, isFull })
    }
    segment = 0
    firstSegment = at + 1 < plan.components.length ? firstSegmentOf(plan.components[at + 1]!) : 0
  }
}

const isLeftOut = ({ startTicks, endTicks }: Plan, { beginTicks }: PlannedComponent): boolean =>
  startTicks + beginTicks >= endTicks

/** After a cut item, only the last slate of the program is shown, up to the end of the window. */
function addSlate(
  sheet: Sheet,
  plan: Plan,
  { targetTicks, slate, airing, warnings }: PlannedSlate,
  firstSegment: number,
  isFull: boolean,
): void {
  const segments = isFull ? 0 : segmentsNearest(slate, plan.startTicks + targetTicks - sheet.endTicks)
  sheet.warnings.push(...warnings)
  addPlacement(sheet, { segments, show: { ...looped(slate), firstSegment }, airing })
}

interface ShowFrom {
  readonly segment: number
  readonly firstSegment: number
  readonly isFull: boolean
}

/** Returns whether all segments were shown. After a cut item, nothing but the slate is shown. */
function addShow(
  sheet: Sheet,
  plan: Plan,
  planned: PlannedShow,
  { segment, firstSegment, isFull }: ShowFrom,
): boolean {
  const show: AssetShow = { ...planned.show, firstSegment }
  const remaining = planned.segments - segment
  const roomTicks = isFull ? 0 : plan.endTicks + NEAR_TICKS - sheet.endTicks
  const segments = segmentsEndedBy({ show, segments: remaining }, roomTicks)
  const lostTicks = offsetOf({ show }, remaining) - offsetOf({ show }, segments)
  if (lostTicks > 0 && planned.item !== null) {
    const code = segment + segments > 0 ? 'item_cut' : 'item_left_out'
    sheet.warnings.push({ code, programId: plan.program.id, item: planned.item, ticks: lostTicks })
  }
  addPlacement(sheet, { segments, show, airing: planned.airing })
  return lostTicks === 0
}

/** Warns of items that would begin after the window. */
function leaveOutAfterWindow(sheet: Sheet, plan: Plan): void {
  leaveOut(sheet, plan, ({ beginTicks }) => !isInWindow(plan, beginTicks))
}

/**
 * Warns of items that are missed because the rest of the window is too short to show anything.
 *
 * For a program that has begun, these are the items that would begin now: the layout that showed it has warned
 * of all others.
 */
function leaveOutRest(sheet: Sheet, plan: Plan): void {
  const ticks = sheet.endTicks - plan.startTicks
  const hasBegun = ticks > NEAR_TICKS
  const airing = sheet.before?.airing
  const shown = airing?.program?.id === plan.program.id ? airing.component : -1
  leaveOut(sheet, plan, ({ beginTicks }, item) => {
    if (item <= shown || beginTicks < ticks - NEAR_TICKS) return false
    return !hasBegun || isInWindow(plan, beginTicks)
  })
}

const isInWindow = ({ startTicks, endTicks }: Plan, beginTicks: number): boolean =>
  startTicks + beginTicks < endTicks

function leaveOut(sheet: Sheet, plan: Plan, isMissed: (planned: PlannedItem, item: number) => boolean): void {
  for (const [item, planned] of plan.items.entries()) {
    if (!isMissed(planned, item)) continue
    const { ticks } = planned
    sheet.warnings.push({ code: 'item_left_out', programId: plan.program.id, item, ticks })
  }
}
