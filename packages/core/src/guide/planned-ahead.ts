import type { PackedTimeline } from '../timeline/codec/packed.ts'
import { decodeRun } from '../timeline/codec/run-codec.ts'
import type { Program, WindowedProgram } from '../timeline/span.ts'

/** How far ahead a guide lists planned programs. */
export const GUIDE_AHEAD_MS = 14 * 86_400_000

/**
 * The programs that continue the guide of a committed timeline.
 *
 * @param planned as received with the feed; undefined if nothing was received, and the guide ends with the timeline
 */
export function plannedAhead(
  packed: PackedTimeline,
  planned: readonly WindowedProgram[] | undefined,
  committedUntilMs: number,
  nowMs: number,
): readonly Program[] {
  const last = packed.runs.at(-1)
  // A channel that goes off the air shows nothing after that.
  if (last === undefined || last.isEnd) return []
  if (planned === undefined) return programsBehind(packed)
  const untilMs = nowMs + GUIDE_AHEAD_MS
  // Where no one has extended the timeline, its slate is on the air: a program that should have begun has not.
  const fromMs = committedUntilMs < nowMs ? nowMs : Number.NEGATIVE_INFINITY
  return planned.filter(({ startMs }) => startMs >= fromMs && startMs < untilMs)
}

/** The programs scheduled behind an open-ended override, from the bytes of the run that it cut. */
function programsBehind({ runs }: PackedTimeline): readonly Program[] {
  const cut = runs.at(-2)
  const last = runs.at(-1)
  if (cut === undefined || last === undefined || cut.endSequence !== last.firstSequence) return []
  const spans = decodeRun(cut.bytes)?.spans ?? []
  return spans.flatMap(({ firstSequence, airing: { program } }) =>
    firstSequence < cut.endSequence || program === null ? [] : [program],
  )
}
