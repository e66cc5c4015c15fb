import { type DateRange, endOfRange, isBack, isBreak, type Ranges } from './date-ranges.ts'
import { type Cue, endOf, isNear, JOIN_MS, NO_CUES, type Segment } from './playlist.ts'
import type { Report } from './rules.ts'

/** How an output of this project marks ad breaks, and when its breaks end. */
export interface Markers {
  /** Without it, whatever appears is checked. */
  readonly markers?: 'DATERANGE' | 'CUE' | 'BOTH' | 'NONE'
  readonly breakPolicy?: 'ACTUAL' | 'FULL_LENGTH'
}

/** Checks the ad breaks of a window: cue tags, date ranges, and that both agree. House profile only. */
export function checkBreaks(
  window: readonly Segment[],
  ranges: Ranges,
  { markers, breakPolicy }: Markers,
  report: Report,
): void {
  const isFullLength = breakPolicy === 'FULL_LENGTH'
  checkBoundaries(ranges, window, isFullLength, report)
  const hasCues = window.some(({ cues }) => cues !== NO_CUES)
  if (hasCues) checkCues(window, isFullLength, report)
  if (markers !== undefined) checkKind(ranges, hasCues, markers, report)
  const isAny = hasCues || ranges.size > 0
  const areBoth = hasCues && ranges.size > 0
  if ((markers === 'BOTH' && isAny) || (markers === undefined && areBoth))
    checkAgreement(window, ranges, report)
}

/** Checks date ranges that are new or have changed. */
export function checkNewBreaks(
  now: Ranges,
  before: Ranges,
  { breakPolicy }: Markers,
  listed: Segment | undefined,
  report: Report,
): void {
  for (const range of now.values()) {
    checkForm(range, now, breakPolicy === 'FULL_LENGTH', report)
    const old = before.get(range.id)
    const isLate = listed !== undefined && beginsAfter(listed, range)
    if (isLate && isBack(range) && old !== undefined && !isBack(old)) {
      report('daterange-in-late', `the end of ${range.id} is announced after a later segment`)
    }
  }
}

function checkForm(range: DateRange, ranges: Ranges, isFullLength: boolean, report: Report): void {
  const { id, attributes, durationMs, plannedMs } = range
  const hasEnd = durationMs !== undefined || attributes.has('END-DATE')
  if (isBreak(range) && (plannedMs === undefined || (!isBack(range) && hasEnd))) {
    report('daterange-out-form', `${id} should have PLANNED-DURATION, and no end before SCTE35-IN`)
  }
  if (isBack(range) && (durationMs === undefined || !isBreak(range))) {
    report('daterange-in-form', `${id} should have DURATION and SCTE35-OUT`)
  }
  if (!isBack(range) || durationMs === undefined || plannedMs === undefined) return
  if (durationMs > plannedMs + JOIN_MS) {
    report('daterange-in-form', `${id} lasts ${durationMs} ms, planned were ${plannedMs} ms`)
  } else if (isFullLength && !isNear(durationMs, plannedMs) && !isFollowed(range, ranges)) {
    report('break-cut-short', `${id} lasts ${durationMs} ms, planned were ${plannedMs} ms`)
  }
}

/** Breaks never overlap, so the second ends the first. */
const isFollowed = (range: DateRange, ranges: Ranges): boolean =>
  [...ranges.values()].some(({ startMs }) => isNear(startMs, endOfRange(range)))

const beginsAfter = ({ startMs }: Segment, range: DateRange): boolean =>
  startMs >= endOfRange(range) - JOIN_MS

/**
 * Checks that ranges begin and end at segment boundaries of the window.
 *
 * A break that is announced at full length may end inside a segment: the channel returned earlier, at other
 * boundaries.
 */
function checkBoundaries(
  now: Ranges,
  window: readonly Segment[],
  isFullLength: boolean,
  report: Report,
): void {
  const [first, last] = [window[0], window.at(-1)]
  if (first === undefined || last === undefined) return
  const [fromMs, untilMs] = [first.startMs - JOIN_MS, endOf(last) + JOIN_MS]
  const isOff = (ms: number) =>
    ms >= fromMs &&
    ms <= untilMs &&
    !isNear(ms, endOf(last)) &&
    !window.some(({ startMs }) => isNear(startMs, ms))
  for (const range of now.values()) {
    if (isOff(range.startMs)) report('daterange-off-boundary', `${range.id} begins inside a segment`)
    if (isBack(range) && !isFullLength && isOff(endOfRange(range))) {
      report('daterange-off-boundary', `${range.id} ends inside a segment`)
    }
    if (isBreak(range) && !isBack(range) && beginsAfter(last, range)) {
      report('daterange-in-missing', `${range.id} should have ended before ${last.uri}`)
    }
  }
}

function checkKind(ranges: Ranges, hasCues: boolean, markers: string, report: Report): void {
  const isRangeAllowed = markers === 'BOTH' || markers === 'DATERANGE'
  if (hasCues && markers !== 'BOTH' && markers !== 'CUE') {
    report('markers-unexpected', `cue tags, configured are ${markers}`)
  }
  if (isRangeAllowed) return
  for (const { id, attributes } of ranges.values()) {
    if (attributes.keys().some((name) => name.startsWith('SCTE35-'))) {
      report('markers-unexpected', `the date range ${id}, configured are ${markers}`)
    }
  }
}

interface OpenBreak {
  readonly startMs: number
  readonly durationMs: number
}

/** Checks the cue tags of a window segment by segment; every segment of a break has one. */
function checkCues(window: readonly Segment[], isFullLength: boolean, report: Report): void {
  let open: OpenBreak | undefined
  for (const [at, segment] of window.entries()) {
    const { cues, startMs } = segment
    if (at === 0) open = breakBefore(segment)
    const form = cues.map(({ kind }) => kind).join()
    if (!isExpected(form, open !== undefined, at === 0)) {
      const place = open === undefined ? 'outside a break' : 'in a break'
      report('cue-order', `${segment.uri} has ${form || 'no cue'} ${place}`)
      return
    }
    if (open !== undefined) checkOpen(cues, open, segment, isFullLength, report)
    open = breakAfter(cues, startMs, open)
  }
}

/** Whether a break is open at the first segment of a window follows from its own tags. */
function breakBefore({ cues, startMs }: Segment): OpenBreak | undefined {
  const cont = cues.find((cue) => cue.kind === 'CONT')
  return cont && { startMs: startMs - cont.elapsedMs, durationMs: cont.durationMs }
}

function isExpected(form: string, isOpen: boolean, isFirst: boolean): boolean {
  if (isFirst && (form === 'IN' || form === 'IN,OUT')) return true
  return isOpen ? form === 'CONT' || form === 'IN' || form === 'IN,OUT' : form === '' || form === 'OUT'
}

function checkOpen(
  cues: readonly Cue[],
  open: OpenBreak,
  { startMs, uri }: Segment,
  isFullLength: boolean,
  report: Report,
): void {
  const [cue] = cues
  const elapsedMs = startMs - open.startMs
  const place = `${uri}, ${elapsedMs} ms into a break of ${open.durationMs} ms`
  if (cue?.kind === 'CONT') {
    const isRight = isNear(cue.elapsedMs, elapsedMs) && isNear(cue.durationMs, open.durationMs)
    if (!isRight || elapsedMs >= open.durationMs - JOIN_MS) {
      report('cue-elapsed', `${place}, has ${cue.elapsedMs} ms of ${cue.durationMs} ms`)
    }
  }
  // Breaks never overlap, so the second ends the first.
  if (cue?.kind === 'IN' && cues.length === 1 && isFullLength && elapsedMs < open.durationMs - JOIN_MS) {
    report('break-cut-short', `${place}, has CUE-IN`)
  }
}

function breakAfter(cues: readonly Cue[], startMs: number, open: OpenBreak | undefined) {
  const last = cues.at(-1)
  if (last?.kind === 'OUT') return { startMs, durationMs: last.durationMs }
  return last?.kind === 'IN' ? undefined : open
}

/** Where an output carries both, cue tags and date ranges must describe the same breaks. */
function checkAgreement(window: readonly Segment[], ranges: Ranges, report: Report): void {
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
