import { offsetOf, segmentsEndedBy } from '../timeline/span.ts'
import type { PlannedComponent, PlannedShow } from './plan.ts'

/** Where a plan is entered. */
export interface Joint {
  readonly component: number
  readonly segment: number
}

/**
 * Finds what is to be shown so many ticks after the window's beginning.
 *
 * A program that is joined runs late or early by up to half a segment until a slate sets it right. So a component
 * that begins no further away than that is shown from its first segment: this place can be the very end of the
 * component before, and whoever goes on from there must neither repeat what was shown nor skip what was not.
 */
export function joinPlan(components: readonly PlannedComponent[], ticks: number): Joint {
  const at = lastBegunBy(components, ticks)
  const component = components[at]!
  if (component.kind === 'slate') return { component: at, segment: 0 }
  const segment = nearestSegment(component, ticks - component.beginTicks, halfOfLongest(components))
  return segment === component.segments ? { component: at + 1, segment: 0 } : { component: at, segment }
}

function lastBegunBy(components: readonly PlannedComponent[], ticks: number): number {
  let [begun, notBegun] = [0, components.length]
  while (notBegun - begun > 1) {
    const middle = Math.floor((begun + notBegun) / 2)
    if (components[middle]!.beginTicks <= ticks) begun = middle
    else notBegun = middle
  }
  return begun
}

/** Of two places that are equally near it is the earlier; a slate that could end at two takes the later. */
function nearestSegment(component: PlannedShow, sinceTicks: number, edgeTicks: number): number {
  const untilTicks = component.ticks - sinceTicks
  if (sinceTicks <= Math.min(edgeTicks, untilTicks)) return 0
  if (untilTicks < Math.min(edgeTicks, sinceTicks)) return component.segments
  const ended = segmentsEndedBy(component, sinceTicks)
  const before = sinceTicks - offsetOf(component, ended)
  const after = offsetOf(component, ended + 1) - sinceTicks
  return after < before ? ended + 1 : ended
}

function halfOfLongest(components: readonly PlannedComponent[]): number {
  let longest = 0
  for (const component of components) {
    if (component.kind === 'show') longest = Math.max(longest, longestSegment(component))
  }
  return longest / 2
}

/** The last one can be longer than the others, the first is as long as they are. */
function longestSegment(component: PlannedShow): number {
  const { segments, ticks } = component
  return Math.max(offsetOf(component, 1), ticks - offsetOf(component, segments - 1))
}
