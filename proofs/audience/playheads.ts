import { type LoggedRequest, watchedBySession } from './request-log.ts'
import type { Playhead } from './viewers.ts'

/** The target duration: a player that plays requests a playlist about so often. */
const SEGMENT_MS = 5_000

/**
 * What a pause may be off by in CMCD v1: what fills the buffer from 12 to 15 s is not taken for a pause, a segment that has
 * not appeared yet (3.2 s) cannot be, after a return to the live edge a target duration is offset (5 s), and the buffer of a
 * player that plays is anywhere within a segment (1.6 s either way, at both ends of the pause).
 */
const PAUSE_MS = 3_000 + 3_200 + 5_000 + 2 * 1_600

export interface ComparedPlayheads {
  readonly sessions: number
  /** With CMCD v1 and a pause, which may be off by more than a segment. */
  readonly pausedV1: number
  /** What was counted of those beyond what they played, in all. */
  readonly pausedV1OverMs: number
  readonly pausedV1PlayedMs: number
  /** Further apart than a segment, and than what is known to be lost at moves and in pauses of v1. */
  readonly apart: readonly string[]
  /** Pauses that no request shows: without CMCD, and in v1 those of a full buffer. */
  readonly unseenMs: number
}

/**
 * Compares what the requests of a session amount to with what its viewer played. A stretch in which a viewer moved to
 * another node, or looked back further, is not counted, or twice if the viewer alternates between two nodes; a pause that
 * no request shows is counted.
 */
export function comparePlayheads(
  log: readonly LoggedRequest[],
  playheads: readonly Playhead[],
): ComparedPlayheads {
  const watched = watchedBySession(log)
  const apart: string[] = []
  let [allUnseenMs, pausedV1, pausedV1OverMs, pausedV1PlayedMs] = [0, 0, 0, 0]
  for (const { sid, reporting, playedMs, pauses, unseenMs, movedMs } of playheads) {
    const countedMs = watched.get(sid) ?? 0
    allUnseenMs += unseenMs
    const isPausedV1 = reporting === 'v1' && pauses > 0
    if (isPausedV1) {
      pausedV1 += 1
      pausedV1OverMs += countedMs - unseenMs - playedMs
      pausedV1PlayedMs += playedMs
    }
    const offMs = SEGMENT_MS + (isPausedV1 ? pauses * PAUSE_MS : 0)
    const isIn = countedMs <= playedMs + unseenMs + movedMs + offMs && countedMs >= playedMs - movedMs - offMs
    if (isIn) continue
    apart.push(
      `${sid} (${reporting}): ${countedMs} ms counted, ${playedMs} played, ${pauses} pauses, ${movedMs} moved`,
    )
  }
  return {
    sessions: playheads.length,
    pausedV1,
    pausedV1OverMs,
    pausedV1PlayedMs,
    apart,
    unseenMs: allUnseenMs,
  }
}
