import { cutAt } from '../media/cue-points.ts'
import { TICKS_PER_MS } from '../media/house-format.ts'
import { loopOf, type Media, ticksBefore } from '../media/media.ts'
import { type Airing, type AssetShow, endOfSpan, offsetOf, type Span } from '../timeline/span.ts'
import { beginOf, type Joint } from './join-plan.ts'
import type { Plan, PlannedShow, PlannedSlate } from './plan.ts'

/** A span of media, cut to what is shown of it. */
export type ShownSpan = Span & { readonly show: AssetShow }

/**
 * Finds the next component after a span in the plan of its program; undefined if the plan no longer contains
 * what the span shows.
 *
 * The time alone does not determine the next component: a program that was joined runs late or early.
 * Continuing from what was shown neither repeats nor skips anything.
 */
export function continuePlan(plan: Plan, before: ShownSpan): Joint | undefined {
  const at = findShown(plan, before)
  if (at === undefined) return undefined
  const component = plan.components[at]!
  if (component.kind === 'slate') return continueSlate(plan, component, at, before)
  const segment = component.show.isLooped
    ? segmentOfPod(component, before)
    : segmentAfter(component.show.media, before) - component.show.firstSegment
  if (segment >= component.segments) return beginOf(plan.components, at + 1)
  const { show, beginTicks } = component
  const firstSegment = show.isLooped ? nextInLoop(show.media, segment, before) : show.firstSegment + segment
  return { component: at, segment, firstSegment, dueTicks: beginTicks + offsetOf(component, segment) }
}

/** A filler can be repeated in the slot of an item: picks the one that began nearest to its planned time. */
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

/** For a looped show, assumes the first round. */
const begunTicksOf = ({ startTicks }: Plan, { show, startTicks: shownTicks }: ShownSpan): number =>
  shownTicks - startTicks - ticksBefore(show.media, show.firstSegment)

/** A slate ends at its target, so any time between its begin and its end is on time. */
function continueSlate(plan: Plan, slate: PlannedSlate, at: number, before: ShownSpan): Joint {
  const ticks = endOfSpan(before) - plan.startTicks
  const isInTime = ticks >= slate.beginTicks - plan.edgeTicks && ticks <= slate.targetTicks + plan.edgeTicks
  const dueTicks = isInTime ? ticks : slate.beginTicks + ticks - begunTicksOf(plan, before)
  return { component: at, segment: 0, firstSegment: nextInLoop(slate.slate, 0, before), dueTicks }
}

/** The round of the loop is unknown, but the break was announced with its length. */
function segmentOfPod({ show, segments }: PlannedShow, before: ShownSpan): number {
  const { adBreak } = before
  if (adBreak === null) return Math.min(segments, before.segments)
  const leftTicks = adBreak.startTicks + adBreak.plannedTicks - endOfSpan(before)
  return Math.max(0, segments - Math.ceil(leftTicks / loopOf(show.media).segmentTicks))
}

const nextSegment = ({ show, segments }: ShownSpan): number => show.firstSegment + segments

/** In a newer package of the same video, which has other segments: the boundary nearest to what was shown. */
function segmentAfter(media: Media, before: ShownSpan): number {
  const next = nextSegment(before)
  const shown = before.show.media
  return media.path === shown.path ? next : cutAt(media, ticksBefore(shown, next) / TICKS_PER_MS).segment
}

/** Media other than the previous one starts at the segment of the component. */
function nextInLoop(media: Media, segment: number, before: ShownSpan): number {
  const next = media.path === before.show.media.path ? nextSegment(before) : segment
  return next % loopOf(media).segments
}
