import { loopOf } from '../timeline/media.ts'
import { type AssetShow, offsetOf, segmentsEndedBy } from '../timeline/span.ts'
import { joinPlan } from './join-plan.ts'
import type { Plan, PlannedShow, PlannedSlate } from './plan.ts'
import { addPiece, isEnough, type Sheet } from './sheet.ts'
import { looped, NEAR_TICKS, segmentsNearest } from './slate.ts'

/** Writes what is left of a program, from its beginning or from where it now is. */
export function addProgram(sheet: Sheet, plan: Plan): void {
  const joint = joinPlan(plan.components, sheet.endTicks - plan.startTicks)
  sheet.warnings.push(...plan.leftOut)
  let { segment } = joint
  let isFull = false
  for (const component of plan.components.slice(joint.component)) {
    if (isEnough(sheet)) return
    if (component.kind === 'slate') addSlate(sheet, plan, component)
    else isFull = !addShow(sheet, plan, component, segment, isFull)
    segment = 0
  }
}

function addSlate(sheet: Sheet, plan: Plan, { targetTicks, slate, airing, warnings }: PlannedSlate): void {
  const segments = segmentsNearest(slate, plan.startTicks + targetTicks - sheet.endTicks)
  sheet.warnings.push(...warnings)
  addPiece(sheet, { segments, show: looped(slate), airing })
}

/** Whether all of it was shown. After something that was cut nothing is shown but the slate. */
function addShow(sheet: Sheet, plan: Plan, planned: PlannedShow, segment: number, isFull: boolean): boolean {
  const show = showFrom(planned.show, segment)
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

function showFrom(show: AssetShow, segment: number): AssetShow {
  return { ...show, firstSegment: show.isLooped ? segment % loopOf(show.media).segments : segment }
}
