import { loopOf } from '../media/media.ts'
import type { Placement } from '../schedule/placement.ts'
import { discontinuityAfter, noLive } from '../timeline/discontinuity.ts'
import type { AdBreak, Span } from '../timeline/span.ts'

/**
 * Numbers placements, beginning with a sequence number.
 *
 * A pod that continues where `before` ends, the span that is shown up to there, keeps its ad break.
 */
export function numberPlacements(
  placements: readonly Placement[],
  firstSequence: number,
  before?: Span,
): Span[] {
  const spans: Span[] = []
  for (const placement of placements) spans.push(numberPlacement(placement, spans.at(-1), firstSequence))
  const [first] = spans
  if (first !== undefined && before !== undefined) spans[0] = { ...first, adBreak: breakOf(first, before) }
  return spans
}

function numberPlacement(
  { startTicks, segments, show, airing, adBreakTicks }: Placement,
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
  return isSamePod && before.adBreak !== null && continuesLoop(before, first) ? before.adBreak : first.adBreak
}

/** Also true from the last segment of the loop to its first, where a player has a discontinuity. */
function continuesLoop({ show, segments }: Span, { show: next }: Span): boolean {
  if (show.kind === 'live' || next.kind === 'live' || show.media.path !== next.media.path) return false
  return next.firstSegment === (show.firstSegment + segments) % loopOf(show.media).segments
}
