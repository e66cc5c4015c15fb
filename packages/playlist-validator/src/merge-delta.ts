import type { Memory } from './memory.ts'
import { placeSegments } from './place-segments.ts'
import type { MediaPlaylist, Segment, ServerControl, Skip } from './playlist.ts'
import type { Report } from './rules.ts'

/** Prepends the segments that a delta update skipped. */
export function mergeDelta(
  playlist: MediaPlaylist,
  skip: Skip,
  memory: Memory,
  offered: ServerControl | undefined,
  report: Report,
): readonly Segment[] {
  checkSkip(playlist, offered, report)
  const from = playlist.mediaSequence ?? 0
  const skipped = Array.from({ length: skip.segments }, (_, at) => memory.recall(from + at))
  const known = skipped.filter((segment) => segment !== undefined)
  const [first, before] = [known[0], known.at(-1)]
  if (known.length < skip.segments || first === undefined || before === undefined) {
    report('skip-unmergeable', `${skip.segments} from ${from} on`)
    return []
  }
  checkFirst(first, playlist.discontinuitySequence, report)
  return [
    ...known,
    ...placeSegments(playlist.segments, { discontinuity: before.discontinuity, before }, report),
  ]
}

function checkSkip(playlist: MediaPlaylist, offered: ServerControl | undefined, report: Report): void {
  const boundaryMs = (playlist.control ?? offered)?.canSkipUntilMs
  const keptMs = playlist.segments.reduce((sum, { durationMs }) => sum + durationMs, 0)
  if (boundaryMs === undefined) report('skip-not-offered', '')
  else if (keptMs < boundaryMs - 1) report('skip-too-recent', `${keptMs} ms left, required ${boundaryMs}`)
}

/** EXT-X-SKIP does not change EXT-X-DISCONTINUITY-SEQUENCE. */
function checkFirst(first: Segment, sequence: number | undefined, report: Report): void {
  const isRight = sequence === first.discontinuity || (first.isTagged && sequence === first.discontinuity - 1)
  if (sequence !== undefined && !isRight) {
    report('discontinuity-sequence-wrong', `${sequence}, ${first.uri} has ${first.discontinuity}`)
  }
}
