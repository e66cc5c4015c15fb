import { setTimeout } from 'node:timers/promises'
import { isHalfWritten, isPassing, SourceFault } from './source-fault.ts'

/** How the reading of a track goes: for how long something may fail, and what follows then. */
export interface TrackCourse {
  /** A segment was read. */
  move(): void
  isFrozen(): boolean
  /** Since the last segment: what is old by now is not made up for. */
  hasFailed(): boolean
  /** Throws the fault, or reports it where reading goes on. */
  fail(error: unknown): undefined
  /** Fetches a segment, if need be several times. Undefined where it is lost. */
  fetchSegment<T>(fetch: Fetch<T>): Promise<T | undefined>
  /** Reads the playlist, if need be several times. Undefined where it failed, and reading goes on. */
  readPlaylist<T>(fetch: Fetch<T>): Promise<T | undefined>
}

type Fetch<T> = (limitMs: number) => Promise<T>

export interface CourseOptions {
  readonly targetMs: number
  readonly signal: AbortSignal
  /** Gets what is wrong once something was read, one fault for each time that it is gone; reading goes on. */
  readonly onFault?: (fault: SourceFault) => void
}

/** A source that brings nothing new for so many target durations stands still. */
export const FROZEN_TARGETS = 3

/** How long a request may take: the first ones, and then, when another is worth trying before the buffer is empty. */
export const FIRST_LIMIT_MS = 15_000
const LEAST_LIMIT_MS = 3_000

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2_000

export function createCourse({ targetMs, signal, onFault }: CourseOptions): TrackCourse {
  let hasBegun = false
  let hasFailed = false
  let movedMs = performance.now()
  const frozenMs = () => movedMs + FROZEN_TARGETS * targetMs
  const isFrozen = () => performance.now() > frozenMs()
  const fail = (error: unknown): undefined => {
    signal.throwIfAborted()
    if (!(error instanceof SourceFault) || !hasBegun || onFault === undefined) throw error
    if (!hasFailed) onFault(error)
    hasFailed = true
    movedMs = performance.now()
  }
  const lose = (error: unknown): undefined => {
    const isLoss = hasBegun && error instanceof SourceFault && isPassing(error)
    return isLoss && !isFrozen() ? undefined : fail(error)
  }
  /** Before anything was read there is nothing to keep up: a fault is reported at once. */
  const tryFor = <T>(fetch: Fetch<T>, endMs: number, mayPass: (fault: SourceFault) => boolean) => {
    if (!hasBegun) return fetch(FIRST_LIMIT_MS)
    const limitMs = Math.max(LEAST_LIMIT_MS, targetMs)
    return tryUntil(() => fetch(limitMs), { endMs, mayPass, signal })
  }
  return {
    move() {
      hasBegun = true
      hasFailed = false
      movedMs = performance.now()
    },
    isFrozen,
    hasFailed: () => hasFailed,
    fail,
    // The buffer holds one target duration more than the time to the next segment.
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

/** After a fault that may pass it is done again, less and less often. Throws the last fault. */
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
