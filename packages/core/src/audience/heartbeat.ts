import type { PlayerReport } from './cmcd.ts'

/** How it was told whether a player played in an interval. */
export type Method = 'CMCD_V2' | 'CMCD_V1' | 'HEARTBEAT'

export const methods = ['CMCD_V2', 'CMCD_V1', 'HEARTBEAT'] as const satisfies readonly Method[]

/** A request for a media playlist of any rendition, which shows that a player is there. */
export interface Heartbeat extends PlayerReport {
  readonly atMs: number
  /** How far behind the channel the player is. */
  readonly shiftMs: number
}

/** All that is kept of a viewing session between two heartbeats. */
export interface Viewing extends Heartbeat {
  /** Growth of the buffer that was not taken off watched time yet; less than 0: falls that later growth makes up for. */
  readonly owedMs: number
  /** By its buffer, it did not play for most of the interval that ended here. */
  readonly isIdle: boolean
  readonly isStarted: boolean
}

/** Time that was watched, `[startMs, endMs)` by the clock of the node. */
export interface WatchedInterval {
  readonly startMs: number
  readonly endMs: number
  readonly method: Method
}

export interface HeartbeatStep {
  readonly viewing: Viewing
  readonly watched: WatchedInterval | undefined
  /** The player came back for a second media playlist, soon after its session was minted. */
  readonly isStart: boolean
}

export interface SessionRules {
  /** Three target durations: heartbeats further apart are not joined. */
  readonly maxGapMs: number
  readonly mintedMs: number
}

/**
 * How long after its minting a session can start. One that comes later has started elsewhere or before: on another node, or
 * before it was dropped here.
 */
export const START_WITHIN_MS = 60_000

/**
 * Adds a heartbeat to a session: gives what was watched since the one before.
 *
 * Nothing was watched between heartbeats that are too far apart, that have different shifts, or of which the later has the
 * earlier time because the clock was set back. So the watched time is the union of the intervals between neighbours, and
 * reloads, jumps in time and jumps of the clock add nothing to it.
 */
export function addHeartbeat(
  before: Viewing | undefined,
  heartbeat: Heartbeat,
  { maxGapMs, mintedMs }: SessionRules,
): HeartbeatStep {
  const { atMs, shiftMs, isPaused, bufferMs } = heartbeat
  const reported = { atMs, shiftMs, isPaused, bufferMs }
  if (before === undefined) {
    return { viewing: { ...reported, ...nothingOwed, isStarted: false }, watched: undefined, isStart: false }
  }
  const isStart = !before.isStarted && atMs - mintedMs <= START_WITHIN_MS
  const passedMs = atMs - before.atMs
  const isJoined = passedMs >= 0 && passedMs <= maxGapMs && shiftMs === before.shiftMs
  const method = methodOf(before, bufferMs)
  const { watchedMs, owedMs, isIdle } =
    isJoined && method === 'CMCD_V1'
      ? watchedByBuffer(before, bufferMs!, passedMs, maxGapMs)
      : { watchedMs: isJoined && before.isPaused !== true ? passedMs : 0, ...nothingOwed }
  const watched = watchedMs > 0 ? { startMs: before.atMs, endMs: before.atMs + watchedMs, method } : undefined
  return { viewing: { ...reported, owedMs, isIdle, isStarted: true }, watched, isStart }
}

const nothingOwed = { owedMs: 0, isIdle: false } as const

/** By what was known when the interval began; the growth of a buffer needs both of its ends. */
function methodOf(before: Viewing, bufferMs: number | null): Method {
  if (before.isPaused !== null) return 'CMCD_V2'
  return before.bufferMs !== null && bufferMs !== null ? 'CMCD_V1' : 'HEARTBEAT'
}

/**
 * A player that has loaded all there is loads as much as it plays, and while it is paused its buffer grows by the time that
 * passes. So growth is taken off what was watched. It comes a segment at a time, and hls.js reports it one request late:
 * what exceeds the time that passed is owed, and a fall is credited to later growth, so that the sum is right.
 *
 * What fills the buffer up to where players hold is no such growth, nor is a change that exceeds the time that passed by more than a
 * target duration: then a player starts or jumps. A buffer that is full stays as it is, to the last digit, until the player goes on.
 */
function watchedByBuffer(
  { bufferMs: beforeMs, owedMs, isIdle }: Viewing,
  bufferMs: number,
  passedMs: number,
  holdMs: number,
) {
  const grownMs = Math.max(bufferMs, holdMs) - Math.max(beforeMs!, holdMs)
  if (grownMs === 0 && isIdle) return { watchedMs: 0, owedMs, isIdle }
  const isJump = Math.abs(grownMs) > passedMs + holdMs / 3
  const takenMs = owedMs + (isJump ? 0 : grownMs)
  const idleMs = Math.min(passedMs, Math.max(0, takenMs))
  return {
    watchedMs: passedMs - idleMs,
    owedMs: takenMs - idleMs,
    isIdle: passedMs === 0 ? isIdle : idleMs * 2 > passedMs,
  }
}
