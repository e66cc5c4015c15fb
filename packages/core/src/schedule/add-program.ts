import { type AssetShow, offsetOf, segmentsEndedBy } from '../timeline/span.ts'
import type { Entry } from './enter-program.ts'
import { leaveOutAfterWindow } from './leave-out.ts'
import type { Plan, PlannedComponent, PlannedShow, PlannedSlate } from './plan.ts'
import { addPiece, isEnough, type Sheet } from './sheet.ts'
import { looped, NEAR_TICKS, segmentsNearest } from './slate.ts'

/** Writes what is left of a program, from its beginning or from where it now is. */
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
    firstSegment = 0
  }
}

const isLeftOut = ({ startTicks, endTicks }: Plan, { beginTicks }: PlannedComponent): boolean =>
  startTicks + beginTicks >= endTicks

/** After something that was cut it is the last slate that leads to the end, and no other. */
function addSlate(
  sheet: Sheet,
  plan: Plan,
  { targetTicks, slate, airing, warnings }: PlannedSlate,
  firstSegment: number,
  isFull: boolean,
): void {
  const segments = isFull ? 0 : segmentsNearest(slate, plan.startTicks + targetTicks - sheet.endTicks)
  sheet.warnings.push(...warnings)
  addPiece(sheet, { segments, show: { ...looped(slate), firstSegment }, airing })
}

interface ShowFrom {
  readonly segment: number
  readonly firstSegment: number
  readonly isFull: boolean
}

/** Whether all of it was shown. After something that was cut nothing is shown but the slate. */
function addShow(
  sheet: Sheet,
  plan: Plan,
  planned: PlannedShow,
  { segment, firstSegment, isFull }: ShowFrom,
): boolean {
  const show: AssetShow = { ...planned.show, firstSegment }
  const asked = planned.segments - segment
  const roomTicks = isFull ? 0 : plan.endTicks + NEAR_TICKS - sheet.endTicks
  const segments = segmentsEndedBy({ show, segments: asked }, roomTicks)
  const lostTicks = offsetOf({ show }, asked) - offsetOf({ show }, segments)
  if (lostTicks > 0 && planned.item !== null) {
    const code = segment + segments > 0 ? 'item_cut' : 'item_left_out'
    sheet.warnings.push({ code, programId: plan.program.id, item: planned.item, ticks: lostTicks })
  }
  addPiece(sheet, { segments, show, airing: planned.airing })
  return lostTicks === 0
}
