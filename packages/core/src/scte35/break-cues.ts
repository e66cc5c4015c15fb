import { writeSection } from './encode-section.ts'
import type { BreakDuration, SpliceInfoSection } from './section.ts'

/** Origin of a cue (§9.9.3): 0 the network's own program, 4 automation, 6 a person, 12 local replacement. */
export type EventSource = 0 | 4 | 6 | 12

/** Wraps after 28 bits: an id must differ only from those of events that have not ended. */
export const spliceEventId = (source: EventSource, number: number): number =>
  source * EVENT_NUMBERS + (number % EVENT_NUMBERS)

const EVENT_NUMBERS = 2 ** 28

export interface BreakStart {
  /** From `spliceEventId`; the end of the break has the same. */
  readonly eventId: number
  readonly durationTicks: number
  /** Whether the break ends by itself after that time. */
  readonly autoReturn: boolean
}

/**
 * The section that begins an ad break at its position. A break longer than the maximum, 26.5 hours, has the
 * maximum.
 */
export const spliceOut = ({ eventId, durationTicks, autoReturn }: BreakStart): Uint8Array =>
  immediately(eventId, { autoReturn, durationTicks: Math.min(durationTicks, MAX_TICKS) })

const MAX_TICKS = 2 ** 33 - 1

/** The section that ends the ad break at its position, early or at its planned end. */
export const spliceIn = ({ eventId }: { readonly eventId: number }): Uint8Array => immediately(eventId, null)

/**
 * Without a time: the section is in a playlist, whose date gives the time of the splice. A pts_time would refer
 * to the timestamps of the media, which jump at every discontinuity.
 */
function immediately(eventId: number, breakDuration: BreakDuration | null): Uint8Array {
  const section: SpliceInfoSection = {
    sapType: 3,
    ptsAdjustment: 0,
    cwIndex: 0xff,
    tier: 0xfff,
    command: {
      kind: 'splice_insert',
      eventId,
      isIdCompliant: true,
      isOutOfNetwork: breakDuration !== null,
      splice: { kind: 'program_immediate' },
      breakDuration,
      uniqueProgramId: 0,
      availNum: 0,
      availsExpected: 0,
    },
    descriptors: [],
  }
  return new Uint8Array(writeSection(section).written)
}
