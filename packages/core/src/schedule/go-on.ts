import { loopOf, type Media, ticksBefore } from '../timeline/media.ts'
import { type Airing, type AssetShow, endOfSpan, offsetOf, type Span } from '../timeline/span.ts'
import { beginOf, type Joint } from './join-plan.ts'
import type { Plan, PlannedShow, PlannedSlate } from './plan.ts'

/** A span of media, cut to what is shown of it. */
export type ShownSpan = Span & { readonly show: AssetShow }

/**
 * Finds what comes after a span in the plan of its program; undefined where the plan no longer has what it shows.
 *
 * A place alone cannot tell whether something that ends there was shown, and a program that was joined is late or
 * early. Whoever goes on by what was shown neither repeats nor skips anything.
 */
export function goOn(plan: Plan, before: ShownSpan): Joint | undefined {
  const at = findShown(plan, before)
  if (at === undefined) return undefined
  const component = plan.components[at]!
  if (component.kind === 'slate') return goOnWithSlate(plan, component, at, before)
  const segment = component.show.isLooped ? segmentOfPod(component, before) : nextSegment(before)
  if (segment >= component.segments) return beginOf(plan.components, at + 1)
  const { show, beginTicks } = component
  const firstSegment = show.isLooped ? nextInLoop(show.media, segment, before) : segment
  return { component: at, segment, firstSegment, dueTicks: beginTicks + offsetOf(component, segment) }
}

/** In place of an item a filler can be shown several times: meant is the one that began nearest to its time. */
function findShown(plan: Plan, before: ShownSpan): number | undefined {
  const begunTicks = begunTicksOf(plan, before)
  const distanceOf = (at: number) => Math.abs(plan.components[at]!.beginTicks - begunTicks)
  let nearest: number | undefined
  for (const [at, component] of plan.components.entries()) {
    if (!isSame(component.airing, before.airing)) continue
    if (nearest === undefined || distanceOf(at) < distanceOf(nearest)) nearest = at
  }
  return nearest
}

const isSame = (one: Airing, other: Airing): boolean =>
  one.component === other.component && one.type === other.type && one.referenceId === other.referenceId

/** Of something looped, if this is the first round. */
const begunTicksOf = ({ startTicks }: Plan, { show, startTicks: shownTicks }: ShownSpan): number =>
  shownTicks - startTicks - ticksBefore(show.media, show.firstSegment)

/** It ends when it is due, so any time from its begin to its end will do; only beside them is it late or early. */
function goOnWithSlate(plan: Plan, slate: PlannedSlate, at: number, before: ShownSpan): Joint {
  const ticks = endOfSpan(before) - plan.startTicks
  const isInTime = ticks >= slate.beginTicks - plan.edgeTicks && ticks <= slate.targetTicks + plan.edgeTicks
  const dueTicks = isInTime ? ticks : slate.beginTicks + ticks - begunTicksOf(plan, before)
  return { component: at, segment: 0, firstSegment: nextInLoop(slate.slate, 0, before), dueTicks }
}

/** The loop does not tell how often it went round, but the break was announced with its length. */
function segmentOfPod({ show, segments }: PlannedShow, before: ShownSpan): number {
  const { adBreak } = before
  if (adBreak === null) return Math.min(segments, before.segments)
  const leftTicks = adBreak.startTicks + adBreak.plannedTicks - endOfSpan(before)
  return Math.max(0, segments - Math.ceil(leftTicks / loopOf(show.media).segmentTicks))
}

const nextSegment = ({ show, segments }: ShownSpan): number => show.firstSegment + segments

/** Other media than before begins where the component is. */
function nextInLoop(media: Media, segment: number, before: ShownSpan): number {
  const next = media.path === before.show.media.path ? nextSegment(before) : segment
  return next % loopOf(media).segments
}
