import { loopOf } from '../media/media.ts'
import { offsetOf, segmentsEndedBy } from '../timeline/span.ts'
import type { Plan, PlannedComponent, PlannedShow } from './plan.ts'

/** The point at which a plan is entered. */
export interface Joint {
  readonly component: number
  /** Number of segments of the component before this point. */
  readonly segment: number
  /** The first segment of its media that is shown. */
  readonly firstSegment: number
  /** When this segment is due, relative to the start of the window. */
  readonly dueTicks: number
}

/**
 * Finds what to show `ticks` after the start of the window.
 *
 * A joined program runs late or early by up to half a segment until a slate corrects it. So a component that
 * begins within that distance is shown from its first segment.
 */
export function joinPlan({ components, edgeTicks }: Plan, ticks: number): Joint {
  const at = lastBegunBy(components, ticks)
  const component = components[at]!
  if (component.kind === 'slate') return { component: at, segment: 0, firstSegment: 0, dueTicks: ticks }
  const segment = nearestSegment(component, ticks - component.beginTicks, edgeTicks)
  if (segment === component.segments) return beginOf(components, at + 1)
  const { show, beginTicks } = component
  const firstSegment = show.isLooped ? segment % loopOf(show.media).segments : show.firstSegment + segment
  return { component: at, segment, firstSegment, dueTicks: beginTicks + offsetOf(component, segment) }
}

export const beginOf = (components: readonly PlannedComponent[], component: number): Joint => ({
  component,
  segment: 0,
  firstSegment: firstSegmentOf(components[component]!),
  dueTicks: components[component]!.beginTicks,
})

/** A slate begins with its first segment, a video with its in. */
export const firstSegmentOf = (component: PlannedComponent): number =>
  component.kind === 'slate' ? 0 : component.show.firstSegment

function lastBegunBy(components: readonly PlannedComponent[], ticks: number): number {
  let [begun, notBegun] = [0, components.length]
  while (notBegun - begun > 1) {
    const middle = Math.floor((begun + notBegun) / 2)
    if (components[middle]!.beginTicks <= ticks) begun = middle
    else notBegun = middle
  }
  return begun
}

/** Of two boundaries that are equally near, the earlier one; a slate takes the later one. */
function nearestSegment(component: PlannedShow, sinceTicks: number, edgeTicks: number): number {
  const untilTicks = component.ticks - sinceTicks
  if (sinceTicks <= Math.min(edgeTicks, untilTicks)) return 0
  if (untilTicks < Math.min(edgeTicks, sinceTicks)) return component.segments
  const ended = segmentsEndedBy(component, sinceTicks)
  const before = sinceTicks - offsetOf(component, ended)
  const after = offsetOf(component, ended + 1) - sinceTicks
  return after < before ? ended + 1 : ended
}
