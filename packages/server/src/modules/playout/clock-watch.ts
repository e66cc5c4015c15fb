import type { Beat } from '../../platform/feed/feed-follower.ts'

/** Compares our clock with those of the workers. */
export interface ClockWatch {
  heard(beat: Beat): void
  /** How far the workers' clocks are ahead of ours; undefined where nothing was heard of them lately. */
  offsetMs(nowMs: number): number | undefined
}

/** Older beats say nothing of the clocks as they are now. */
const REMEMBERED_MS = 10_000

/** Beats of all workers: more of them come in that time only where there are many. */
const BEATS_MAXIMUM = 100

/** A node that lists a segment so much earlier or later than another is not to be asked (see GUARD_MS in core). */
export const OFFSET_MAXIMUM_MS = 250

export function createClockWatch(): ClockWatch {
  let beats: readonly Beat[] = []
  return {
    heard(beat) {
      // One that was kept from before says when it was sent, and not how late it is.
      if (beat.isFresh) beats = [...beats.slice(-BEATS_MAXIMUM + 1), beat]
    },
    offsetMs(nowMs) {
      beats = beats.filter(({ heardMs }) => Math.abs(nowMs - heardMs) <= REMEMBERED_MS)
      const offsets = beats.map((beat) => beat.nowMs - beat.heardMs).toSorted((a, b) => a - b)
      // The middle one: neither a beat that came late nor one worker whose clock is wrong takes all nodes out of service.
      return offsets[Math.floor(offsets.length / 2)]
    },
  }
}
