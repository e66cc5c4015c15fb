import { ticksOf } from '../time/ticks.ts'
import type { Span } from '../timeline/span.ts'
import { continuePlan, type ShownSpan } from './continue-program.ts'
import { ticksOfItem } from './item-range.ts'
import { beginOf, type Joint, joinPlan } from './join-plan.ts'
import type { Plan } from './plan.ts'
import { LONG_GAP_TICKS } from './plan-fill.ts'
import { planProgram } from './plan-program.ts'
import type { ScheduledProgram } from './scheduled-program.ts'
import type { Sheet } from './sheet.ts'
import { NEAR_TICKS } from './slate.ts'

/** A plan and the point at which it is entered. */
export interface Entry {
  readonly plan: Plan
  readonly joint: Joint
}

/**
 * Plans a program and finds its next component: after what was shown of it, otherwise by time.
 *
 * If an item became ready after its slot and its length differs from the declared one, everything after it was
 * shown off the times of the new plan. What follows must not move because of that, so the plan is shifted
 * instead.
 */
export function enterProgram(sheet: Sheet, scheduled: ScheduledProgram): Entry {
  const shown = shownOf(sheet.before, scheduled)
  const plan = planLate(sheet, scheduled, 0)
  if (shown === undefined) return { plan, joint: joinPlan(plan, ticksInto(sheet, plan)) }
  const entry = findInTime(sheet, plan, shown) ?? findMoved(sheet, scheduled, shown, plan.edgeTicks)
  if (entry !== undefined) return entry
  const joint = follow(sheet, plan, scheduled, shown)
  const lateTicks = ticksInto(sheet, plan) - joint.dueTicks
  if (Math.abs(lateTicks) <= plan.edgeTicks) return { plan, joint }
  const moved = planLate(sheet, scheduled, lateTicks)
  return { plan: moved, joint: follow(sheet, moved, scheduled, shown) }
}

function planLate({ slates, untilTicks }: Sheet, scheduled: ScheduledProgram, lateTicks: number): Plan {
  // A joined program can be early, and must not run out of fillers before the end of the layout.
  const wantedTicks = untilTicks - ticksOf(scheduled.program.startMs) + LONG_GAP_TICKS
  return planProgram(scheduled, slates, { wantedTicks, lateTicks })
}

const ticksInto = ({ endTicks }: Sheet, { startTicks }: Plan): number => endTicks - startTicks

/** Continues the plan if it contains what was shown, at most half a segment off its time. */
function findInTime(sheet: Sheet, plan: Plan, shown: ShownSpan): Entry | undefined {
  const joint = continuePlan(plan, shown)
  if (joint === undefined) return undefined
  return Math.abs(ticksInto(sheet, plan) - joint.dueTicks) <= plan.edgeTicks ? { plan, joint } : undefined
}

/** Tries the plan that results if one of the earlier items, or all of them, had their declared lengths. */
function findMoved(
  sheet: Sheet,
  scheduled: ScheduledProgram,
  shown: ShownSpan,
  edgeTicks: number,
): Entry | undefined {
  const moves = scheduled.items
    .slice(0, shown.airing.component)
    .map((item) => (item.media === null ? 0 : item.declaredTicks - ticksOfItem(item, item.media)))
    .filter((ticks) => Math.abs(ticks) > edgeTicks)
  for (const lateTicks of [...moves, moves.reduce((sum, it) => sum + it, 0)]) {
    const entry = findInTime(sheet, planLate(sheet, scheduled, lateTicks), shown)
    if (entry !== undefined) return entry
  }
  return undefined
}

function follow(sheet: Sheet, plan: Plan, scheduled: ScheduledProgram, shown: ShownSpan): Joint {
  const ticks = ticksInto(sheet, plan)
  return continuePlan(plan, shown) ?? followFill(plan, scheduled, shown, ticks) ?? joinPlan(plan, ticks)
}

/** The previous span, if it belongs to the program. */
function shownOf(before: Span | undefined, { program }: ScheduledProgram): ShownSpan | undefined {
  if (before === undefined || before.airing.program?.id !== program.id) return undefined
  const { show } = before
  return show.kind === 'asset' ? { ...before, show } : undefined
}

/**
 * What follows time fill that the plan no longer contains: the rest of the item that it replaced, which is now
 * ready, or the next item if the item's slot is over; never an earlier item.
 */
function followFill(
  plan: Plan,
  { items }: ScheduledProgram,
  { airing }: ShownSpan,
  ticks: number,
): Joint | undefined {
  if (airing.type !== 'TIME_FILL') return undefined
  const item = Math.min(airing.component, items.length)
  const scheduled = items[item]
  if (
    scheduled !== undefined &&
    ticks > plan.items[item]!.beginTicks + scheduled.declaredTicks - NEAR_TICKS
  ) {
    return beginOfItem(plan, item + 1)
  }
  const byTime = joinPlan(plan, ticks)
  return plan.components[byTime.component]!.airing.component < item ? beginOfItem(plan, item) : byTime
}

/** After the last item: the fill of the rest of the window. */
const beginOfItem = ({ components }: Plan, item: number): Joint =>
  beginOf(
    components,
    components.findIndex(({ airing }) => airing.component >= item),
  )
