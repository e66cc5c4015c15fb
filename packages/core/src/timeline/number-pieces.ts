import type { Piece } from '../schedule/piece.ts'
import { discontinuityAfter, noLive } from './discontinuity.ts'
import { loopOf } from './media.ts'
import type { AdBreak, Span } from './span.ts'

/**
 * Gives pieces of a schedule their numbers, from a sequence number on.
 *
 * A pod that goes on where `before` ends, the span that is shown up to there, is still the same break.
 */
export function numberPieces(pieces: readonly Piece[], firstSequence: number, before?: Span): Span[] {
  const spans: Span[] = []
  for (const piece of pieces) spans.push(numberPiece(piece, spans.at(-1), firstSequence))
  const [first] = spans
  if (first !== undefined && before !== undefined) spans[0] = { ...first, adBreak: breakOf(first, before) }
  return spans
}

function numberPiece(
  { startTicks, segments, show, airing, adBreakTicks }: Piece,
  before: Span | undefined,
  firstSequence: number,
): Span {
  const sequence = before === undefined ? firstSequence : before.firstSequence + before.segments
  const adBreak = adBreakTicks === null ? null : { sequence, startTicks, plannedTicks: adBreakTicks }
  const discontinuity = before === undefined ? 0 : discontinuityAfter(before, { show }, noLive)
  return { startTicks, segments, firstSequence: sequence, discontinuity, show, airing, adBreak }
}

function breakOf(first: Span, before: Span): AdBreak | null {
  const isSamePod =
    first.airing.type === 'AD_POD' &&
    before.airing.type === 'AD_POD' &&
    before.airing.program?.id === first.airing.program?.id &&
    before.airing.component === first.airing.component
  return isSamePod && before.adBreak !== null && goesOn(before, first) ? before.adBreak : first.adBreak
}

/** Also from the last segment of the loop to its first, where a player has a discontinuity. */
function goesOn({ show, segments }: Span, { show: next }: Span): boolean {
  if (show.kind === 'live' || next.kind === 'live' || show.media.path !== next.media.path) return false
  return next.firstSegment === (show.firstSegment + segments) % loopOf(show.media).segments
}
