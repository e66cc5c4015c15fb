import { longestSegment, loopOf, type Media } from '../media/media.ts'
import { msOf, ticksOf } from '../time/ticks.ts'
import type { AssetShow, WindowedProgram } from '../timeline/span.ts'
import { rangeOf, ticksOfItem } from './item-range.ts'
import type { Plan, PlannedComponent, PlannedItem, PlannedShow } from './plan.ts'
import { airingOfFill, planFill, showWhole } from './plan-fill.ts'
import type { ScheduledItem, ScheduledProgram, Slates } from './scheduled-program.ts'
import { looped, segmentsToReach } from './slate.ts'
import type { Warning } from './warning.ts'

export interface PlanOptions {
  /** How much of the window has to be planned now, from its start. */
  readonly wantedTicks: number
  /** How much later than the window the first item began; negative if it began earlier. */
  readonly lateTicks: number
}

export function planProgram({ program, items }: ScheduledProgram, slates: Slates, params: PlanOptions): Plan {
  const [startTicks, endTicks] = [ticksOf(program.startMs), ticksOf(program.endMs)]
  const windowTicks = endTicks - startTicks
  const lengths = lengthsOf(items, windowTicks - params.lateTicks, slates.ad)
  const wanted = { slates, wantedTicks: params.wantedTicks }
  const components: PlannedComponent[] = []
  const planned: PlannedItem[] = []
  let beginTicks = params.lateTicks
  for (const [item, scheduled] of items.entries()) {
    const ticks = lengths[item]!
    const targetTicks = Math.max(beginTicks, Math.min(beginTicks + ticks, windowTicks))
    planned.push({ beginTicks, ticks })
    planItem(components, scheduled, { program, item, beginTicks, ticks, targetTicks }, wanted)
    beginTicks += ticks
  }
  fillAfterItems(components, program, items.length, beginTicks, wanted)
  const edgeTicks = edgeOf(items, slates)
  return { program, startTicks, endTicks, components, edgeTicks, items: planned }
}

/** What fills a program, and up to where it is planned. */
interface Wanted {
  readonly slates: Slates
  readonly wantedTicks: number
}

/** The time slot of an item in the plan. */
interface Slot {
  readonly program: WindowedProgram
  readonly item: number
  readonly beginTicks: number
  readonly ticks: number
  /** Its end, or the end of the window if that is earlier. */
  readonly targetTicks: number
}

function planItem(
  components: PlannedComponent[],
  scheduled: ScheduledItem,
  slot: Slot,
  wanted: Wanted,
): void {
  const { type, media } = scheduled
  const { ad } = wanted.slates
  if (type === 'AD_POD') {
    components.push(showItem(scheduled, slot, looped(ad), slot.ticks / loopOf(ad).segmentTicks))
  } else if (media === null) {
    fillItem(components, slot, wanted)
  } else {
    const { first, end } = rangeOf(scheduled, media)
    components.push(showItem(scheduled, slot, { ...showWhole(media), firstSegment: first }, end - first))
  }
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

/** Everything that is shown in the slot of an item belongs to the item's component. */
function fillItem(
  components: PlannedComponent[],
  { program, item, beginTicks, targetTicks }: Slot,
  wanted: Wanted,
): void {
  const ticks = targetTicks - beginTicks
  const missing: Warning = { code: 'item_not_ready', programId: program.id, item, ticks }
  const params = { program, beginTicks, targetTicks, componentAt: () => item, warnings: [missing] }
  fill(components, params, wanted)
}

function fillAfterItems(
  components: PlannedComponent[],
  program: WindowedProgram,
  items: number,
  beginTicks: number,
  wanted: Wanted,
): void {
  const targetTicks = ticksOf(program.endMs - program.startMs)
  const componentAt = (at: number) => items + at
  fill(components, { program, beginTicks, targetTicks, componentAt, warnings: [] }, wanted)
}

interface FillParams {
  readonly program: WindowedProgram
  readonly beginTicks: number
  readonly targetTicks: number
  readonly componentAt: (at: number) => number
  readonly warnings: readonly Warning[]
}

/** Pushes one by one: a window of several days can contain more fillers than a call can have arguments. */
function fill(components: PlannedComponent[], params: FillParams, { slates, wantedTicks }: Wanted): void {
  const { program, beginTicks, targetTicks, componentAt } = params
  const ticks = targetTicks - beginTicks
  const startMs = program.startMs + msOf(beginTicks)
  const gap = { startMs, ticks, wantedTicks: wantedTicks - beginTicks }
  const { fillers, fillersTicks, slate, isLackingFillers } = planFill(gap, slates)
  for (const [at, { filler, segments, ...picked }] of fillers.entries()) {
    const airing = airingOfFill(program, componentAt(at), filler)
    const position = { ticks: picked.ticks, beginTicks: beginTicks + picked.beginTicks }
    const show = showWhole(filler.media)
    components.push({ kind: 'show', ...position, show, segments, airing, item: null })
  }
  const lack: Warning = { code: 'no_filler', programId: program.id, item: null, ticks }
  components.push({
    kind: 'slate',
    beginTicks: beginTicks + fillersTicks,
    targetTicks,
    slate,
    airing: airingOfFill(program, componentAt(fillers.length)),
    warnings: isLackingFillers ? [...params.warnings, lack] : params.warnings,
  })
}

/** Includes fillers that are not shown: otherwise the result would depend on how much is planned. */
function edgeOf(items: readonly ScheduledItem[], { ad, fillers }: Slates): number {
  let longest = loopOf(ad).segmentTicks
  for (const { media } of [...items, ...fillers]) {
    if (media !== null) longest = Math.max(longest, longestSegment(media))
  }
  return Math.floor(longest / 2)
}

/**
 * The length of each item in the time that they share.
 *
 * A pod is rounded up to whole segments of the ad slate, because sold ads are not cut. This must not push the
 * last item out of a window that all items fit: without room, a pod is rounded down, and the next pod gets the
 * remainder.
 */
export function lengthsOf(items: readonly ScheduledItem[], roomTicks: number, ad: Media): readonly number[] {
  const requestedTicks = items.reduce((sum, item) => sum + requestedOf(item), 0)
  let spareTicks = Math.max(0, roomTicks - requestedTicks)
  return items.map((item) => {
    const requested = requestedOf(item)
    if (item.type !== 'AD_POD') return requested
    const ticks = segmentsOfPod(ad, requested, spareTicks) * loopOf(ad).segmentTicks
    spareTicks -= ticks - requested
    return ticks
  })
}

function requestedOf(item: ScheduledItem): number {
  const { type, media, declaredTicks } = item
  return type === 'AD_POD' || media === null ? declaredTicks : ticksOfItem(item, media)
}

/** The spare time is negative after a pod that took a whole segment without having room for it. */
function segmentsOfPod(ad: Media, requestedTicks: number, spareTicks: number): number {
  const { segmentTicks } = loopOf(ad)
  const whole = segmentsToReach(ad, requestedTicks)
  const most = Math.floor((requestedTicks + spareTicks) / segmentTicks)
  return Math.max(1, Math.min(whole, most))
}
