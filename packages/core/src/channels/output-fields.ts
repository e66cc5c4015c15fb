/** How a distributor wants its channel. */
export interface OutputFields {
  /** The distributor's own id of the channel. */
  readonly key: string | null
  readonly windowMs: number
  readonly markers: 'DATERANGE' | 'CUE' | 'BOTH' | 'NONE'
  readonly breakPolicy: 'ACTUAL' | 'FULL_LENGTH'
  /** Who counts its viewers: playout nodes by the requests that reach them, or an import of access logs of caches. */
  readonly audienceSource: 'NODES' | 'LOGS'
}

/** The output that every channel is made with and keeps. */
export const DIRECT = 'direct'

/** More distributors than any channel in the field has, and few enough to list. */
export const OUTPUTS_MAXIMUM = 100

/** A draft with all that was left out. */
export function fillOutput(draft: Partial<OutputFields>): OutputFields {
  return { ...unsaid, ...draft }
}

/** Nodes learn of a change within seconds; in this time they may still count. */
const NODES_LEARN_MS = 60_000

/** From when on lines of access logs count for an output that has changed: what nodes may have counted is left out. */
export const countedFromMs = (
  before: Pick<OutputFields, 'audienceSource'>,
  after: Pick<OutputFields, 'audienceSource'>,
  beforeMs: number,
  nowMs: number,
): number => (before.audienceSource === after.audienceSource ? beforeMs : nowMs + NODES_LEARN_MS)

/** Whether an output may go while its channel stays. */
export const isRemovable = (distributor: string): boolean => distributor !== DIRECT

const unsaid = {
  key: null,
  // Ten segments of 3.2 s: twice what a player needs to start, so that one late by some reloads goes on.
  windowMs: 32_000,
  // A player passes over the marks that it does not know.
  markers: 'BOTH',
  breakPolicy: 'ACTUAL',
  audienceSource: 'NODES',
} as const satisfies OutputFields
