import { checkHeader } from './check-header.ts'
import { checkMarkers, type Markers, type UsedIds } from './check-markers.ts'
import { checkNumbers } from './check-numbers.ts'
import { checkInstant, checkStep, newShared, type Shared } from './check-renditions.ts'
import { checkEdge, checkTimes, type Limits } from './check-times.ts'
import { mergeDelta } from './merge-delta.ts'
import { checkMultivariant } from './multivariant.ts'
import { parseMedia } from './parse-media.ts'
import { placeSegments } from './place-segments.ts'
import { endOf, type MediaPlaylist, type Segment } from './playlist.ts'
import { rangeLinesOf } from './range-lines.ts'
import { endSession, newRendition, type Rendition } from './rendition.ts'
import type { Report } from './rules.ts'

/** The settings of an output. Markers default to `BOTH` and break policy to `ACTUAL`. */
export interface ValidatorOptions extends Limits, Markers {}

export interface FetchedPlaylist {
  readonly atMs: number
  readonly rendition: string
  readonly text: string
  /** Whether a delta update was requested. */
  readonly isDelta?: boolean
}

/** The validator's state for one output. */
export interface ValidatorState {
  readonly options: ValidatorOptions
  readonly renditions: Map<string, Rendition>
  readonly shared: Shared
  used: UsedIds
  multivariant: string | undefined
  lastAtMs: number
}

export const newValidatorState = (options: ValidatorOptions): ValidatorState => ({
  options,
  renditions: new Map(),
  shared: newShared(),
  used: { session: 0, byId: new Map() },
  multivariant: undefined,
  lastAtMs: 0,
})

export function restart(state: ValidatorState): void {
  for (const rendition of state.renditions.values()) endSession(rendition)
  state.shared.instant = undefined
  state.used = { ...state.used, session: state.used.session + 1 }
}

export function validateMultivariant(state: ValidatorState, text: string, report: Report): void {
  const plain = checkMultivariant(text, report)
  if (state.multivariant !== undefined && state.multivariant !== plain) report('multivariant-changed', '')
  state.multivariant = plain
}

export function validateMedia(state: ValidatorState, fetched: FetchedPlaylist, report: Report): Rendition {
  const rendition = state.renditions.get(fetched.rendition) ?? newRendition(fetched.rendition)
  state.renditions.set(rendition.name, rendition)
  if (fetched.text === rendition.text) checkUnchanged(state, rendition, fetched.atMs, report)
  else checkChanged(state, rendition, fetched, report)
  return rendition
}

/** An unchanged text can only violate the rules about age. */
function checkUnchanged(state: ValidatorState, rendition: Rendition, atMs: number, report: Report): void {
  const { isEnded, grewAtMs } = rendition
  const last = rendition.window.at(-1)
  if (last === undefined || isEnded) return
  checkEdge(endOf(last) - atMs, { atMs, isEnded, grewAtMs }, state.options, report)
  checkAcrossRenditions(state, rendition, atMs, report)
}

function checkChanged(
  state: ValidatorState,
  rendition: Rendition,
  { atMs, text, isDelta }: FetchedPlaylist,
  report: Report,
): void {
  rendition.text = undefined
  const playlist = parseMedia(text, report, rendition.memory.recall)
  if (playlist === undefined) return
  if (playlist.skip !== undefined && isDelta !== true) {
    report('skip-unrequested', '')
    return
  }
  const { version, target } = rendition
  checkHeader(playlist, { version, target, targetDuration: state.options.targetDuration }, report)
  if (playlist.mediaSequence === undefined || playlist.discontinuitySequence === undefined) return
  const window = placeWindow(playlist, rendition, report)
  if (playlist.segments.length > 0 && window.length === 0) return
  if (rendition.isEnded) checkEnded(playlist, window, rendition, report)
  else {
    checkAndStore(state, rendition, playlist, window, atMs, report)
    if (playlist.skip === undefined) rendition.text = text
  }
}

function placeWindow(playlist: MediaPlaylist, rendition: Rendition, report: Report): readonly Segment[] {
  const { skip, discontinuitySequence = 0 } = playlist
  if (skip !== undefined) return mergeDelta(playlist, skip, rendition.memory, rendition.control, report)
  return placeSegments(playlist.segments, { discontinuity: discontinuitySequence, before: undefined }, report)
}

/** Checks a window against the previous state, then stores it as the new state. */
function checkAndStore(
  state: ValidatorState,
  rendition: Rendition,
  playlist: MediaPlaylist,
  window: readonly Segment[],
  atMs: number,
  report: Report,
): void {
  const { isEnded } = playlist
  const isChanged = countReports(report, (counting) =>
    checkNumbers(window, rendition.memory, rendition.highestFirst, counting),
  )
  checkStep(window, rendition.memory, state.shared, report)
  const grewAtMs = hasGrown(window, rendition.window) ? atMs : rendition.grewAtMs
  checkTimes(window, { atMs, isEnded, grewAtMs }, state.options, report)
  const rangeLines = rangeLinesOf(playlist, rendition.rangeLines)
  const ranges = checkMarkers(window, rangeLines, rendition, state.options, state.used, report)
  // A change is reported once; afterwards the new window is the reference.
  if (isChanged) rendition.memory.replace(window)
  else rendition.memory.remember(window)
  if (playlist.skip === undefined) rendition.version = playlist.version
  const { target, control = rendition.control } = playlist
  const highestFirst = window[0]?.sequence ?? rendition.highestFirst
  Object.assign(rendition, { target, control, window, rangeLines, ranges, grewAtMs, isEnded, highestFirst })
  checkAcrossRenditions(state, rendition, atMs, report)
}

function countReports(report: Report, check: (counting: Report) => void): boolean {
  let isReported = false
  check((rule, detail) => {
    isReported = true
    report(rule, detail)
  })
  return isReported
}

const hasGrown = (window: readonly Segment[], before: readonly Segment[]): boolean =>
  (window.at(-1)?.sequence ?? -1) > (before.at(-1)?.sequence ?? -1)

function checkAcrossRenditions(
  { shared }: ValidatorState,
  { name, window, rangeLines }: Rendition,
  atMs: number,
  report: Report,
) {
  const [first, last] = [window[0]?.sequence, window.at(-1)?.sequence]
  checkInstant({ atMs, rendition: name, first, last, ranges: rangeLines }, shared, report)
}

function checkEnded(
  playlist: MediaPlaylist,
  window: readonly Segment[],
  rendition: Rendition,
  report: Report,
): void {
  const { window: before, rangeLines } = rendition
  const isSame =
    playlist.isEnded &&
    window.length === before.length &&
    window.every(({ sequence, uri }, at) => before[at]?.sequence === sequence && before[at]?.uri === uri) &&
    rangeLinesOf(playlist, rangeLines) === rangeLines
  if (isSame) return
  report('changed-after-end', playlist.isEnded ? 'other segments or date ranges' : 'it continues')
  rendition.isEnded = false
}
