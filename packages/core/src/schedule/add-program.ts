import { type AssetShow, offsetOf, segmentsEndedBy } from '../timeline/span.ts'
import type { Entry } from './enter-program.ts'
import { firstSegmentOf } from './join-plan.ts'
import { leaveOutAfterWindow } from './leave-out.ts'
import type { Plan, PlannedComponent, PlannedShow, PlannedSlate } from './plan.ts'
import { addPlacement, isEnough, type Sheet } from './sheet.ts'
import { looped, NEAR_TICKS, segmentsNearest } from './slate.ts'

/** Lays out the rest of a program, from its start or from the joint. */
export function addProgram(sheet: Sheet, { plan, joint }: Entry): void {
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
