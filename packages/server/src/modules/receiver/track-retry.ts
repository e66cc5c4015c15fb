import { setTimeout } from 'node:timers/promises'
import { isHalfWritten, isPassing, SourceFault } from './source-fault.ts'

/** The retry policy of a track: how long something may fail, and what happens then. */
export interface TrackRetry {
  /** Call after each segment that was read. */
  move(): void
  isFrozen(): boolean
  /** Whether something failed since the last segment: then old segments are skipped. */
  hasFailed(): boolean
  /** Throws the fault, or reports it if reading continues. */
  fail(error: unknown): undefined
  /** Fetches a segment with retries. Undefined if it is lost. */
  fetchSegment<T>(fetch: Fetch<T>): Promise<T | undefined>
  /** Reads the playlist with retries. Undefined if it failed and reading continues. */
  readPlaylist<T>(fetch: Fetch<T>): Promise<T | undefined>
}

type Fetch<T> = (limitMs: number) => Promise<T>

export interface RetryOptions {
  readonly targetMs: number
  readonly signal: AbortSignal
  /** After the first segment, called once per outage instead of throwing; reading continues. */
  readonly onFault?: (fault: SourceFault) => void
}

/** A source without a new segment for this many target durations is frozen. */
export const FROZEN_TARGETS = 3

/** Request timeouts: of the first requests, and later, when a retry is useful before the buffer is empty. */
export const FIRST_LIMIT_MS = 15_000
const LEAST_LIMIT_MS = 3_000

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2_000

export function createTrackRetry({ targetMs, signal, onFault }: RetryOptions): TrackRetry {
  let hasBegun = false
  let hasFailed = false
  let lastSegmentMs = performance.now()
  const frozenMs = () => lastSegmentMs + FROZEN_TARGETS * targetMs
  const isFrozen = () => performance.now() > frozenMs()
  const fail = (error: unknown): undefined => {
    signal.throwIfAborted()
    if (!(error instanceof SourceFault) || !hasBegun || onFault === undefined) throw error
    if (!hasFailed) onFault(error)
    hasFailed = true
    lastSegmentMs = performance.now()
  }
  const lose = (error: unknown): undefined => {
    const isLoss = hasBegun && error instanceof SourceFault && isPassing(error)
    return isLoss && !isFrozen() ? undefined : fail(error)
  }
  /** No retries before the first segment: a fault is reported at once. */
  const tryFor = <T>(fetch: Fetch<T>, endMs: number, mayPass: (fault: SourceFault) => boolean) => {
    if (!hasBegun) return fetch(FIRST_LIMIT_MS)
    const limitMs = Math.max(LEAST_LIMIT_MS, targetMs)
    return tryUntil(() => fetch(limitMs), { endMs, mayPass, signal })
  }
  return {
    move() {
      hasBegun = true
      hasFailed = false
      lastSegmentMs = performance.now()
    },
    isFrozen,
    hasFailed: () => hasFailed,
    fail,
    // The buffer covers one target duration more than the time to the next segment.
    fetchSegment: (fetch) => tryFor(fetch, performance.now() + targetMs, isPassing).catch(lose),
    readPlaylist: (fetch) =>
      tryFor(fetch, frozenMs(), (fault) => isPassing(fault) || isHalfWritten(fault)).catch(fail),
  }
}

interface TryOptions {
  readonly endMs: number
  readonly mayPass: (fault: SourceFault) => boolean
  readonly signal: AbortSignal
}

/** Retries after temporary faults with exponential backoff. Throws the last fault. */
async function tryUntil<T>(act: () => Promise<T>, { endMs, mayPass, signal }: TryOptions): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await act()
    } catch (error) {
      signal.throwIfAborted()
      const isOver = performance.now() + pauseMs > endMs
      if (!(error instanceof SourceFault) || !mayPass(error) || isOver) throw error
    }
    await setTimeout(pauseMs, undefined, { signal })
  }
}
