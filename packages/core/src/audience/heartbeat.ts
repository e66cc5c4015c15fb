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
  /** In how many intervals up to here the buffer has grown by the time that passed; 2 and more: the player is paused. */
  readonly growths: number
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

/** Two rounded values of 100 ms each, and the time that a request takes. */
const GROWTH_TOLERANCE_MS = 300

/** Requests closer together, such as those of a change of rendition, show nothing about the buffer. */
const SHORTEST_GROWTH_MS = 1_000

/** Growths in a row that make a player paused. */
const PAUSED_GROWTHS = 2

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
  if (before === undefined) {
    const viewing = { atMs, shiftMs, isPaused, bufferMs, growths: 0, isStarted: false }
    return { viewing, watched: undefined, isStart: false }
  }
  const isStart = !before.isStarted && atMs - mintedMs <= START_WITHIN_MS
  const passedMs = atMs - before.atMs
  const isJoined = passedMs >= 0 && passedMs <= maxGapMs && shiftMs === before.shiftMs
  const growths = isJoined ? countGrowths(before, bufferMs, passedMs) : 0
  const viewing = { atMs, shiftMs, isPaused, bufferMs, growths, isStarted: true }
  const method = methodOf(before, bufferMs)
  const isIdle = method === 'CMCD_V2' ? before.isPaused === true : growths >= PAUSED_GROWTHS
  const watched =
    isJoined && passedMs > 0 && !isIdle ? { startMs: before.atMs, endMs: atMs, method } : undefined
  return { viewing, watched, isStart }
}

/** By what was known when the interval began; the growth of a buffer needs both of its ends. */
function methodOf(before: Viewing, bufferMs: number | null): Method {
  if (before.isPaused !== null) return 'CMCD_V2'
  return before.bufferMs !== null && bufferMs !== null ? 'CMCD_V1' : 'HEARTBEAT'
}

/**
 * A paused player loads on, and its buffer grows by the time that passes, until it is full and stays as it is. A player
 * that plays at the edge loads as much as it plays. So two growths in a row make a pause, and the first fall ends it.
 */
function countGrowths({ bufferMs: beforeMs, growths }: Viewing, bufferMs: number | null, passedMs: number) {
  if (beforeMs === null || bufferMs === null) return 0
  if (passedMs < SHORTEST_GROWTH_MS) return growths
  const grownMs = bufferMs - beforeMs
  const isGrowth = Math.abs(grownMs - passedMs) <= GROWTH_TOLERANCE_MS
  if (growths >= PAUSED_GROWTHS) return grownMs >= 0 ? PAUSED_GROWTHS : 0
  return isGrowth ? growths + 1 : 0
}
