import type { LiveView } from './discontinuity.ts'
import type { Timeline } from './run.ts'

/** A channel's timeline, and the time at which it is changed. */
export interface OnAir {
  readonly timeline: Timeline
  readonly live: LiveView
  readonly nowMs: number
}
