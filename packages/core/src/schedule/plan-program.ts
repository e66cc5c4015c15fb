import { msOf, ticksOf } from '../time/ticks.ts'
import { loopOf } from '../timeline/media.ts'
import type { AssetShow } from '../timeline/span.ts'
import type { Plan, PlannedComponent, PlannedShow, PlannedSlate } from './plan.ts'
import { airingOfFill, planFill, showWhole } from './plan-fill.ts'
import type { ScheduledItem, ScheduledProgram, Slates, WindowedProgram } from './scheduled-program.ts'
import { looped, segmentsToReach } from './slate.ts'
import type { Warning } from './warning.ts'

export function planProgram({ program, items }: ScheduledProgram, slates: Slates): Plan {
  const [startTicks, endTicks] = [ticksOf(program.startMs), ticksOf(program.endMs)]
  const windowTicks = endTicks - startTicks
  const components: PlannedComponent[] = []
  const leftOut: Warning[] = []
  let beginTicks = 0
  for (const [item, scheduled] of items.entries()) {
    const ticks = ticksOfItem(scheduled, slates)
    const targetTicks = Math.min(beginTicks + ticks, windowTicks)
    if (beginTicks >= windowTicks) leftOut.push({ code: 'item_left_out', programId: program.id, item, ticks })
    else components.push(...planItem(scheduled, { program, item, beginTicks, ticks, targetTicks }, slates))
    beginTicks += ticks
  }
  components.push(...fillAfterItems(program, items.length, beginTicks, slates))
  return { program, startTicks, endTicks, components, leftOut }
}

/** The place of an item in the plan. */
interface Slot {
  readonly program: WindowedProgram
  readonly item: number
  readonly beginTicks: number
  readonly ticks: number
  /** Its end, or that of the window if it comes first. */
  readonly targetTicks: number
}

function ticksOfItem({ type, media, declaredTicks }: ScheduledItem, { ad }: Slates): number {
  if (type === 'AD_POD') return segmentsToReach(ad, declaredTicks) * loopOf(ad).segmentTicks
  return media?.durationTicks ?? declaredTicks
}

function planItem(scheduled: ScheduledItem, slot: Slot, slates: Slates): readonly PlannedComponent[] {
  const { type, media, declaredTicks } = scheduled
  if (type === 'AD_POD') {
    // Rounded up, because ads that were sold are not cut.
    return [showItem(scheduled, slot, looped(slates.ad), segmentsToReach(slates.ad, declaredTicks))]
  }
  if (media === null) return fillItem(slot, slates)
  return [showItem(scheduled, slot, showWhole(media), media.segmentCount)]
}

function showItem(
  { type, referenceId, title }: ScheduledItem,
  { program, item, beginTicks, ticks }: Slot,
  show: AssetShow,
  segments: number,
): PlannedShow {
  const airing = { program, component: item, type, referenceId, title }
  return { kind: 'show', beginTicks, ticks, show, segments, airing, item }
}

/** Whatever is shown in place of an item, and however much, is the item's one component. */
function fillItem({ program, item, beginTicks, targetTicks }: Slot, slates: Slates) {
  const ticks = targetTicks - beginTicks
  const missing: Warning = { code: 'item_not_ready', programId: program.id, item, ticks }
  return fill({ program, beginTicks, targetTicks, componentAt: () => item, warnings: [missing] }, slates)
}

function fillAfterItems(program: WindowedProgram, items: number, beginTicks: number, slates: Slates) {
  const targetTicks = ticksOf(program.endMs - program.startMs)
  return fill({ program, beginTicks, targetTicks, componentAt: (at) => items + at, warnings: [] }, slates)
}

interface FillOrder {
  readonly program: WindowedProgram
  readonly beginTicks: number
  readonly targetTicks: number
  readonly componentAt: (at: number) => number
  readonly warnings: readonly Warning[]
}

function fill(order: FillOrder, slates: Slates): readonly PlannedComponent[] {
  const { program, beginTicks, targetTicks, componentAt } = order
  const ticks = targetTicks - beginTicks
  const gap = { startMs: program.startMs + msOf(beginTicks), ticks, wantedTicks: ticks }
  const { fillers, fillersTicks, slate, isLackingFillers } = planFill(gap, slates)
  const shows = fillers.map(({ filler, segments, ...picked }, at): PlannedShow => {
    const airing = airingOfFill(program, componentAt(at), filler)
    const place = { ticks: picked.ticks, beginTicks: beginTicks + picked.beginTicks }
    return { kind: 'show', ...place, show: showWhole(filler.media), segments, airing, item: null }
  })
  const lack: Warning = { code: 'no_filler', programId: program.id, item: null, ticks }
  const closing: PlannedSlate = {
    kind: 'slate',
    beginTicks: beginTicks + fillersTicks,
    targetTicks,
    slate,
    airing: airingOfFill(program, componentAt(fillers.length)),
    warnings: isLackingFillers ? [...order.warnings, lack] : order.warnings,
  }
  return [...shows, closing]
}
