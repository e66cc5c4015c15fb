import { checkAgreement } from './check-agreement.ts'
import { checkCues } from './check-cues.ts'
import { checkForm, checkKept, checkNotice, checkPlaces, type Ranges } from './check-ranges.ts'
import { type DateRange, readRanges } from './date-ranges.ts'
import { NO_CUES, type Segment } from './playlist.ts'
import type { Rendition } from './rendition.ts'
import type { Report } from './rules.ts'

export interface Markers {
  readonly markers?: 'DATERANGE' | 'CUE' | 'BOTH' | 'NONE'
  readonly breakPolicy?: 'ACTUAL' | 'FULL_LENGTH'
}

/** The IDs that were used, with the beginning and the session that they were used for. */
export interface UsedIds {
  readonly session: number
  readonly byId: Map<string, { readonly startMs: number; readonly session: number }>
}

/** As many IDs as breaks every five minutes need in a month. */
const MAX_IDS = 10_000

/** Checks date ranges and cue tags, and gives the ranges as they now are. */
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
  checkPlaces(ranges, window, isFullLength, report)
  const hasCues = window.some(({ cues }) => cues !== NO_CUES)
  if (hasCues) checkCues(window, isFullLength, report)
  checkKind(ranges, hasCues, markers, report)
  if (markers === 'BOTH' && (hasCues || ranges.size > 0)) checkAgreement(window, ranges, report)
  return ranges
}

/** Nothing that was listed before is listed still: the channel began anew, and what had been marked is over. */
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
