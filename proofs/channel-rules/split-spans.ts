import { loopOf } from '@continuity/core/media/media'
import type { Run } from '@continuity/core/timeline/run'
import { type AssetShow, offsetOf, type Span } from '@continuity/core/timeline/span'
import type { Draw } from '@continuity/dev/draw'

/** The same run, with its spans split in two where possible. */
export const splitSpans = (draw: Draw, run: Run): Run => ({
  ...run,
  spans: run.spans.flatMap((span) => splitSpan(draw, span)),
})

function splitSpan(draw: Draw, span: Span): Span[] {
  if (span.segments < 2 || span.show.kind === 'live') return [span]
  const at = 1 + draw.below(Math.min(span.segments, 2_000) - 1)
  return [{ ...span, segments: at }, restOf(span, span.show, at)]
}

function restOf(span: Span, show: AssetShow, at: number): Span {
  const number = show.firstSegment + at
  const { segments } = loopOf(show.media)
  return {
    ...span,
    startTicks: span.startTicks + offsetOf(span, at),
    segments: span.segments - at,
    firstSequence: span.firstSequence + at,
    discontinuity: span.discontinuity + (show.isLooped ? Math.floor(number / segments) : 0),
    show: { ...show, firstSegment: show.isLooped ? number % segments : number },
  }
}
