/** The clocks that a writing process compares: its own, PostgreSQL's and the broker's. */
export type ClockName = 'own' | 'database' | 'broker'

/** How far the process's clock is ahead of a reference, give or take the error of the measurement. */
export interface ClockReading {
  readonly offsetMs: number
  /** Half of the round trip: the reference was read at some instant within it. */
  readonly errorMs: number
}

/** Undefined is a reference that could not be read. */
export interface ClockReadings {
  readonly database: ClockReading | undefined
  readonly broker: ClockReading | undefined
}

export interface ClockVerdict {
  /** Undefined if all agree, or if too little is known to name one. */
  readonly atFault: ClockName | undefined
  /** How far the clock at fault is ahead of the nearer one of the others; 0 if none is at fault. */
  readonly offsetMs: number
  /** Whether the process has to stop writing. */
  readonly mustStop: boolean
}

/** Two clocks disagree beyond this. Playout nodes tolerate as much (see CUT_MARGIN_MS in timeline/cut-margin). */
export const CLOCK_TOLERANCE_MS = 250

/** A process that is further off writes times that viewers, guides and reports would notice. */
export const CLOCK_STOP_MS = 1_000

const rightClocks: ClockVerdict = { atFault: undefined, offsetMs: 0, mustStop: false }

/**
 * The clock that disagrees with both others is at fault. If all three disagree, it is the process: it can only
 * stop itself. If one reference is unavailable, the other one decides.
 *
 * Offsets are compared less their error, so that a slow network or a busy machine does not count as a wrong
 * clock.
 */
export function judgeClocks({ database, broker }: ClockReadings): ClockVerdict {
  if (database === undefined && broker === undefined) return rightClocks
  const toDatabase = database ?? broker!
  const toBroker = broker ?? database!
  const between: ClockReading = {
    offsetMs: toBroker.offsetMs - toDatabase.offsetMs,
    errorMs: toBroker.errorMs + toDatabase.errorMs,
  }
  if (isApart(toDatabase) && isApart(toBroker)) {
    const nearer = gapMs(toDatabase) <= gapMs(toBroker) ? toDatabase : toBroker
    return { atFault: 'own', offsetMs: nearer.offsetMs, mustStop: gapMs(nearer) > CLOCK_STOP_MS }
  }
  if (!isApart(between)) return rightClocks
  if (isApart(toDatabase)) return { atFault: 'database', offsetMs: -toDatabase.offsetMs, mustStop: false }
  if (isApart(toBroker)) return { atFault: 'broker', offsetMs: -toBroker.offsetMs, mustStop: false }
  return rightClocks
}

const gapMs = ({ offsetMs, errorMs }: ClockReading): number => Math.max(0, Math.abs(offsetMs) - errorMs)

const isApart = (reading: ClockReading): boolean => gapMs(reading) > CLOCK_TOLERANCE_MS
