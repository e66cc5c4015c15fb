import type { DateRange } from './date-ranges.ts'
import { createMemory, type Memory } from './memory.ts'
import type { Segment, ServerControl } from './playlist.ts'

/** What the walker knows of one rendition. */
export interface Rendition {
  readonly name: string
  /** Outlives a restart, as the numbers do. */
  readonly memory: Memory
  highestFirst: number | undefined
  version: number | undefined
  target: number | undefined
  /** The text that was seen last, where it was in order. */
  text: string | undefined
  window: readonly Segment[]
  rangeLines: readonly string[]
  ranges: ReadonlyMap<string, DateRange>
  control: ServerControl | undefined
  /** When the last segment was first seen. */
  grewAtMs: number
  isEnded: boolean
}

const newSession = () => ({
  text: undefined,
  window: [],
  rangeLines: [],
  ranges: new Map<string, DateRange>(),
  control: undefined,
  grewAtMs: Number.NEGATIVE_INFINITY,
  isEnded: false,
})

export const newRendition = (name: string): Rendition => ({
  name,
  memory: createMemory(),
  highestFirst: undefined,
  version: undefined,
  target: undefined,
  ...newSession(),
})

/** A player that comes back begins anew; only numbers and names must not come twice. */
export function endSession(rendition: Rendition): void {
  Object.assign(rendition, newSession())
}
