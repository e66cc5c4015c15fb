import type { LiveView } from './discontinuity.ts'
import type { Timeline } from './run.ts'

/** A channel's timeline, and when an order is given for it. */
export interface OnAir {
  readonly timeline: Timeline
  readonly live: LiveView
  readonly nowMs: number
}
