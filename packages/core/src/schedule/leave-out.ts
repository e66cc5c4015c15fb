import type { Plan, PlannedItem } from './plan.ts'
import type { Sheet } from './sheet.ts'
import { NEAR_TICKS } from './slate.ts'

/** Warns of items that would begin after the window. */
export function leaveOutAfterWindow(sheet: Sheet, plan: Plan): void {
  leaveOut(sheet, plan, ({ beginTicks }) => !isInWindow(plan, beginTicks))
}

/**
 * Warns of items that are missed because the rest of the window is too short to show anything.
 *
 * For a program that has begun, these are the items that would begin now: the layout that showed it has warned
 * of all others.
 */
export function leaveOutRest(sheet: Sheet, plan: Plan): void {
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
