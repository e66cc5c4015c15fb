import type { PlayerReport } from './cmcd.ts'

/** How it was determined whether a player was playing in an interval. */
export type Method = 'CMCD_V2' | 'CMCD_V1' | 'HEARTBEAT'

export const methods = ['CMCD_V2', 'CMCD_V1', 'HEARTBEAT'] as const satisfies readonly Method[]

/** A request for a media playlist of any rendition. */
export interface Heartbeat extends PlayerReport {
  readonly atMs: number
  /** Time shift of the player. */
  readonly shiftMs: number
}

/** The state of a viewing session between two heartbeats. */
export interface Viewing extends Heartbeat {
  /** Buffer growth not yet subtracted from watched time; below 0: decreases that later growth makes up for. */
  readonly owedMs: number
  /** By its buffer, the player did not play for most of the interval that ended here. */
  readonly isIdle: boolean
  readonly isStarted: boolean
}

/** Watched time, `[startMs, endMs)` by the clock of the node. */
export interface WatchedInterval {
  readonly startMs: number
  readonly endMs: number
  readonly method: Method
}

export interface HeartbeatStep {
  readonly viewing: Viewing
  readonly watched: WatchedInterval | undefined
  /** The player requested a second media playlist soon after its session was minted. */
  readonly isStart: boolean
}

export interface SessionRules {
  /** Three target durations: heartbeats further apart are not joined. */
  readonly maxGapMs: number
  readonly mintedMs: number
}

/**
 * How long after it was minted a session can start. A later one has started elsewhere or before: on another
 * node, or before it was dropped here.
 */
export const START_WITHIN_MS = 60_000

/**
 * Adds a heartbeat to a session, and returns what was watched since the previous one.
 *
 * Nothing was watched between heartbeats that are too far apart, that have different shifts, or whose times
 * decrease because the clock was set back. So the watched time is the union of the intervals between
 * neighbours, and reloads, seeks and clock jumps add nothing to it.
 */
export function addHeartbeat(
  before: Viewing | undefined,
  heartbeat: Heartbeat,
  { maxGapMs, mintedMs }: SessionRules,
): HeartbeatStep {
  const { atMs, shiftMs, isPaused, bufferMs } = heartbeat
  // Called for every request: objects are written out, because spreading them takes several times as long.
  if (before === undefined) {
    const first = { atMs, shiftMs, isPaused, bufferMs, owedMs: 0, isIdle: false, isStarted: false }
    return { viewing: first, watched: undefined, isStart: false }
  }
  const isStart = !before.isStarted && atMs - mintedMs <= START_WITHIN_MS
  const passedMs = atMs - before.atMs
  const isJoined = passedMs >= 0 && passedMs <= maxGapMs && shiftMs === before.shiftMs
  const method = methodOf(before, bufferMs)
  const { watchedMs, owedMs, isIdle } =
    isJoined && method === 'CMCD_V1'
      ? watchedByBuffer(before, bufferMs!, passedMs, maxGapMs)
      : { watchedMs: isJoined && before.isPaused !== true ? passedMs : 0, owedMs: 0, isIdle: false }
  const watched = watchedMs > 0 ? { startMs: before.atMs, endMs: before.atMs + watchedMs, method } : undefined
  return {
    viewing: { atMs, shiftMs, isPaused, bufferMs, owedMs, isIdle, isStarted: true },
    watched,
    isStart,
  }
}

/** The least that players keep loading to: 30 s for hls.js, 50 s for ExoPlayer. */
const FULL_BUFFER_MS = 30_000

/** By what was known when the interval began; buffer growth needs both ends. */
function methodOf(before: Viewing, bufferMs: number | null): Method {
  if (before.isPaused !== null) return 'CMCD_V2'
  return before.bufferMs !== null && bufferMs !== null ? 'CMCD_V1' : 'HEARTBEAT'
}

/**
 * A player that has loaded everything available loads as much as it plays; while it is paused, its buffer grows by the time
 * that passes. So growth is subtracted from watched time. It comes one segment at a time, and hls.js reports it one request
 * late: growth that exceeds the time passed is carried over, and a decrease is set off against later growth.
 *
 * Two changes are not such growth: filling the buffer up to three target durations, and growth that exceeds the time passed by
 * more than a target duration, because the player starts or seeks. A player that drops its buffer to change the rendition
 * fills it again at once, in one step or several: what it does not fill at once was a seek, and is dropped but for a target
 * duration. A full buffer stays exactly the same until playback resumes, and the last growth may be little; a shorter one may happen to stay the same, also because
 * nothing was loaded between two reports, and what is loaded later settles it.
 */
function watchedByBuffer(
  { bufferMs: beforeMs, owedMs, isIdle }: Viewing,
  bufferMs: number,
  passedMs: number,
  holdMs: number,
) {
  const grownMs = Math.max(bufferMs, holdMs) - Math.max(beforeMs!, holdMs)
  if (grownMs === 0 && isIdle && bufferMs >= FULL_BUFFER_MS) return { watchedMs: 0, owedMs, isIdle }
  const targetMs = holdMs / 3
  const carriedMs = grownMs > 0 ? owedMs : Math.max(owedMs, -targetMs)
  const isJump = grownMs > passedMs + targetMs
  const takenMs = isJump ? Math.min(carriedMs + grownMs, Math.max(carriedMs, 0)) : carriedMs + grownMs
  const idleMs = Math.min(passedMs, Math.max(0, takenMs))
  const isFilledUp = isIdle && grownMs >= 0 && bufferMs >= FULL_BUFFER_MS
  return {
    watchedMs: passedMs - idleMs,
    owedMs: takenMs - idleMs,
    isIdle: passedMs === 0 ? isIdle : idleMs * 2 > passedMs || isFilledUp,
  }
}
