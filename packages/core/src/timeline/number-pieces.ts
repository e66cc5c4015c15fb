import type { Piece } from '../schedule/piece.ts'
import { discontinuitiesWithin, isJoined, noLive } from './discontinuity.ts'
import type { Span } from './span.ts'

/** Gives pieces of a schedule their numbers, from a sequence number on. */
export function numberPieces(pieces: readonly Piece[], firstSequence: number): Span[] {
  const spans: Span[] = []
  for (const piece of pieces) spans.push(numberPiece(piece, spans.at(-1), firstSequence))
  return spans
}

function numberPiece(
  { startTicks, segments, show, airing, adBreakTicks }: Piece,
  before: Span | undefined,
  firstSequence: number,
): Span {
  const sequence = before === undefined ? firstSequence : before.firstSequence + before.segments
  const adBreak = adBreakTicks === null ? null : { sequence, startTicks, plannedTicks: adBreakTicks }
  const discontinuity = before === undefined ? 0 : discontinuityAfter(before, { show })
  return { startTicks, segments, firstSequence: sequence, discontinuity, show, airing, adBreak }
}

const discontinuityAfter = (before: Span, after: Pick<Piece, 'show'>): number =>
  before.discontinuity +
  discontinuitiesWithin(before, before.segments - 1, noLive) +
  (isJoined(before, after, noLive.findLog) ? 0 : 1)
