import type { DateRange } from './date-ranges.ts'
import { createMemory, type Memory } from './memory.ts'
import type { Segment, ServerControl } from './playlist.ts'

/** The validator's state for one rendition. */
export interface Rendition {
  readonly name: string
  /** Kept across restarts, as sequence numbers are. */
  readonly memory: Memory
  highestFirst: number | undefined
  version: number | undefined
  target: number | undefined
  /** The last text, if it was valid. */
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

/** A player that reconnects starts without state; sequence numbers and IDs still must not repeat. */
export function endSession(rendition: Rendition): void {
  Object.assign(rendition, newSession())
}
