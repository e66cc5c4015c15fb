/** The settings of a distributor's output. */
export interface OutputFields {
  /** The distributor's own id of the channel. */
  readonly key: string | null
  readonly windowMs: number
  readonly markers: 'DATERANGE' | 'CUE' | 'BOTH' | 'NONE'
  readonly breakPolicy: 'ACTUAL' | 'FULL_LENGTH'
  /**
   * How its viewers are counted: by playout nodes from the requests they receive, or by importing access logs
   * of caches.
   */
  readonly audienceSource: 'NODES' | 'LOGS'
  /** How far its playlists and its guide are behind the channel, in whole seconds. */
  readonly delayMs: number
}

/** The output that every channel has. */
export const DIRECT = 'direct'

/** More distributors than any real channel has, and few enough to list. */
export const OUTPUTS_MAXIMUM = 100

/** A draft with defaults for missing fields. */
export function fillOutput(draft: Partial<OutputFields>): OutputFields {
  return { ...defaults, ...draft }
}

/** Nodes receive a change within seconds; until then they may still count. */
const PROPAGATION_MS = 60_000

/**
 * From when on lines of access logs count for an output that has changed: time that nodes may have counted is
 * excluded.
 */
export const countedFromMs = (
  before: Pick<OutputFields, 'audienceSource'>,
  after: Pick<OutputFields, 'audienceSource'>,
  beforeMs: number,
  nowMs: number,
): number => (before.audienceSource === after.audienceSource ? beforeMs : nowMs + PROPAGATION_MS)

/** Whether an output may be removed while its channel exists. */
export const isRemovable = (distributor: string): boolean => distributor !== DIRECT

const defaults = {
  key: null,
  // Ten segments of 3.2 s: twice what a player needs to start, so that one that missed some reloads continues.
  windowMs: 32_000,
  // A player ignores markers that it does not know.
  markers: 'BOTH',
  breakPolicy: 'ACTUAL',
  audienceSource: 'NODES',
  delayMs: 0,
} as const satisfies OutputFields
