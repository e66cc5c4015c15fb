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

/** What an output promises. Markers are `BOTH` and breaks `ACTUAL` unless they are said to be others. */
export interface WalkerOptions extends Limits, Markers {}

export interface Sighting {
  readonly atMs: number
  readonly rendition: string
  readonly text: string
  /** Whether a delta update was asked for. */
  readonly isDelta?: boolean
}

/** What the walker knows of an output. */
export interface Walk {
  readonly options: WalkerOptions
  readonly renditions: Map<string, Rendition>
  readonly shared: Shared
  used: UsedIds
  multivariant: string | undefined
  lastAtMs: number
}

export const newWalk = (options: WalkerOptions): Walk => ({
  options,
  renditions: new Map(),
  shared: newShared(),
  used: { session: 0, byId: new Map() },
  multivariant: undefined,
  lastAtMs: 0,
})

export function restart(walk: Walk): void {
  for (const rendition of walk.renditions.values()) endSession(rendition)
  walk.shared.instant = undefined
  walk.used = { ...walk.used, session: walk.used.session + 1 }
}

export function lookAtMultivariant(walk: Walk, text: string, report: Report): void {
  const plain = checkMultivariant(text, report)
  if (walk.multivariant !== undefined && walk.multivariant !== plain) report('multivariant-changed', '')
  walk.multivariant = plain
}

export function lookAt(walk: Walk, sighting: Sighting, report: Report): Rendition {
  const rendition = walk.renditions.get(sighting.rendition) ?? newRendition(sighting.rendition)
  walk.renditions.set(rendition.name, rendition)
  if (sighting.text === rendition.text) lookAgain(walk, rendition, sighting.atMs, report)
  else lookAnew(walk, rendition, sighting, report)
  return rendition
}

/** The same text as before can only have grown old. */
function lookAgain(walk: Walk, rendition: Rendition, atMs: number, report: Report): void {
  const { isEnded, grewAtMs } = rendition
  const last = rendition.window.at(-1)
  if (last === undefined || isEnded) return
  checkEdge(endOf(last) - atMs, { atMs, isEnded, grewAtMs }, walk.options, report)
  checkTogether(walk, rendition, atMs, report)
}

function lookAnew(walk: Walk, rendition: Rendition, { atMs, text, isDelta }: Sighting, report: Report): void {
  rendition.text = undefined
  const playlist = parseMedia(text, report, rendition.memory.recall)
  if (playlist === undefined) return
  if (playlist.skip !== undefined && isDelta !== true) {
    report('skip-unasked', '')
    return
  }
  const { version, target } = rendition
  checkHeader(playlist, { version, target, targetDuration: walk.options.targetDuration }, report)
  if (playlist.mediaSequence === undefined || playlist.discontinuitySequence === undefined) return
  const window = placeWindow(playlist, rendition, report)
  if (playlist.segments.length > 0 && window.length === 0) return
  if (rendition.isEnded) checkEnded(playlist, window, rendition, report)
  else {
    take(walk, rendition, playlist, window, atMs, report)
    if (playlist.skip === undefined) rendition.text = text
  }
}

function placeWindow(playlist: MediaPlaylist, rendition: Rendition, report: Report): readonly Segment[] {
  const { skip, discontinuitySequence = 0 } = playlist
  if (skip !== undefined) return mergeDelta(playlist, skip, rendition.memory, rendition.control, report)
  return placeSegments(playlist.segments, { discontinuity: discontinuitySequence, before: undefined }, report)
}

/** Checks a window against all that is known, and makes it what is known. */
function take(
  walk: Walk,
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
  checkStep(window, rendition.memory, walk.shared, report)
  const grewAtMs = hasGrown(window, rendition.window) ? atMs : rendition.grewAtMs
  checkTimes(window, { atMs, isEnded, grewAtMs }, walk.options, report)
  const rangeLines = rangeLinesOf(playlist, rendition.rangeLines)
  const ranges = checkMarkers(window, rangeLines, rendition, walk.options, walk.used, report)
  // What changed is told once; from then on the rendition is what it has become.
  if (isChanged) rendition.memory.replace(window)
  else rendition.memory.remember(window)
  if (playlist.skip === undefined) rendition.version = playlist.version
  const { target, control = rendition.control } = playlist
  const highestFirst = window[0]?.sequence ?? rendition.highestFirst
  Object.assign(rendition, { target, control, window, rangeLines, ranges, grewAtMs, isEnded, highestFirst })
  checkTogether(walk, rendition, atMs, report)
}

function countReports(report: Report, look: (counting: Report) => void): boolean {
  let isReported = false
  look((rule, detail) => {
    isReported = true
    report(rule, detail)
  })
  return isReported
}

const hasGrown = (window: readonly Segment[], before: readonly Segment[]): boolean =>
  (window.at(-1)?.sequence ?? -1) > (before.at(-1)?.sequence ?? -1)

function checkTogether(
  { shared }: Walk,
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
  report('changed-after-end', playlist.isEnded ? 'other segments or date ranges' : 'it goes on')
  rendition.isEnded = false
}
