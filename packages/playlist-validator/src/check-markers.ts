import { checkAgreement } from './check-agreement.ts'
import { checkCues } from './check-cues.ts'
import { checkBoundaries, checkForm, checkKept, checkNotice, type Ranges } from './check-ranges.ts'
import { type DateRange, readRanges } from './date-ranges.ts'
import { NO_CUES, type Segment } from './playlist.ts'
import type { Rendition } from './rendition.ts'
import type { Report } from './rules.ts'

export interface Markers {
  readonly markers?: 'DATERANGE' | 'CUE' | 'BOTH' | 'NONE'
  readonly breakPolicy?: 'ACTUAL' | 'FULL_LENGTH'
}

/** The IDs used so far, with the start time and the session that used them. */
export interface UsedIds {
  readonly session: number
  readonly byId: Map<string, { readonly startMs: number; readonly session: number }>
}

/** Enough for a break every five minutes over a month. */
const MAX_IDS = 10_000

/** Checks date ranges and cue tags; returns the current ranges. */
export function checkMarkers(
  window: readonly Segment[],
  lines: readonly string[],
  before: Rendition,
  options: Markers,
  used: UsedIds,
  report: Report,
): Ranges {
  const { markers = 'BOTH' } = options
  const isFullLength = options.breakPolicy === 'FULL_LENGTH'
  const ranges = lines === before.rangeLines ? before.ranges : readRanges(lines, report)
  if (ranges !== before.ranges) {
    for (const range of ranges.values()) {
      checkId(range, used, report)
      checkForm(range, ranges, isFullLength, report)
    }
    if (continues(window, before.window)) checkKept(ranges, before.ranges, window, report)
    checkNotice(ranges, before.ranges, before.window.at(-1), report)
  }
  checkBoundaries(ranges, window, isFullLength, report)
  const hasCues = window.some(({ cues }) => cues !== NO_CUES)
  if (hasCues) checkCues(window, isFullLength, report)
  checkKind(ranges, hasCues, markers, report)
  if (markers === 'BOTH' && (hasCues || ranges.size > 0)) checkAgreement(window, ranges, report)
  return ranges
}

/** False if no segment of the previous window is listed: the channel restarted, and earlier breaks are over. */
const continues = (window: readonly Segment[], before: readonly Segment[]): boolean =>
  window[0] !== undefined && window[0].sequence <= (before.at(-1)?.sequence ?? -1)

function checkId({ id, startMs }: DateRange, { session, byId }: UsedIds, report: Report): void {
  const known = byId.get(id)
  if (known !== undefined && (known.startMs !== startMs || known.session !== session)) {
    report('daterange-id-reused', id)
  }
  if (known === undefined && byId.size >= MAX_IDS) byId.delete(byId.keys().next().value ?? '')
  byId.set(id, { startMs, session })
}

function checkKind(ranges: Ranges, hasCues: boolean, markers: string, report: Report): void {
  const isRangeAllowed = markers === 'BOTH' || markers === 'DATERANGE'
  if (hasCues && markers !== 'BOTH' && markers !== 'CUE') report('markers-unexpected', 'cue tags')
  if (isRangeAllowed) return
  for (const { id, attributes } of ranges.values()) {
    if (attributes.keys().some((name) => name.startsWith('SCTE35-'))) report('markers-unexpected', id)
  }
}
