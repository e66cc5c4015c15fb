import { type DateRange, endOfRange, isBack, isBreak } from './date-ranges.ts'
import { type Cue, isNear, JOIN_MS, type Segment } from './playlist.ts'
import type { Report } from './rules.ts'

/** Where an output carries both, cue tags and date ranges must describe the same breaks. */
export function checkAgreement(
  window: readonly Segment[],
  ranges: ReadonlyMap<string, DateRange>,
  report: Report,
): void {
  const breaks = [...ranges.values()].filter(isBreak)
  for (const [at, segment] of window.entries()) {
    for (const cue of segment.cues) {
      // A break that ended at the start of the window may already have left the playlist.
      const isGone = at === 0 && cue.kind === 'IN'
      if (!isGone && !breaks.some((range) => matches(cue, window, at, range))) {
        report('cue-daterange-disagree', `${segment.uri} has ${cue.kind} without a matching date range`)
      }
    }
  }
  for (const range of breaks) checkCuesOf(range, window, report)
}

function matches(cue: Cue, window: readonly Segment[], at: number, range: DateRange): boolean {
  if (cue.kind === 'IN') return isBack(range) && window[at] === firstAt(window, endOfRange(range))
  const atMs = window[at]?.startMs ?? Number.NaN
  const startMs = cue.kind === 'OUT' ? atMs : atMs - cue.elapsedMs
  return isNear(range.startMs, startMs) && isNear(range.plannedMs ?? Number.NaN, cue.durationMs)
}

function checkCuesOf(range: DateRange, window: readonly Segment[], report: Report): void {
  const out = window.find(({ startMs }) => isNear(startMs, range.startMs))
  const back = isBack(range) ? firstAt(window, endOfRange(range)) : undefined
  const has = (segment: Segment, kind: Cue['kind']) => segment.cues.some((cue) => cue.kind === kind)
  if (out !== undefined && !has(out, 'OUT'))
    report('cue-daterange-disagree', `${range.id} begins without a cue`)
  if (back !== undefined && !has(back, 'IN'))
    report('cue-daterange-disagree', `${range.id} ends without a cue`)
}

/** The first segment that begins at or after a time; undefined if it may be before the window. */
function firstAt(window: readonly Segment[], ms: number): Segment | undefined {
  const at = window.findIndex(({ startMs }) => startMs >= ms - JOIN_MS)
  const found = window[at]
  return at > 0 || (found !== undefined && isNear(found.startMs, ms)) ? found : undefined
}
