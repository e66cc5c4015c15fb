import { checkBreaks, checkNewBreaks, type Markers } from './breaks.ts'
import { checkNumbers, createMemory, type Memory } from './check-changes.ts'
import {
  checkDiscontinuities,
  checkInstant,
  checkStep,
  checkTogether,
  newShared,
  type Shared,
} from './check-renditions.ts'
import { checkEdge, checkHeader, checkTimes, type Limits, type Reading } from './check-text.ts'
import {
  checkId,
  checkKept,
  checkNotice,
  checkRange,
  type Ranges,
  readRanges,
  type UsedIds,
} from './date-ranges.ts'
import { findDifference, mergeDelta, rangeLinesOf } from './delta.ts'
import { checkMultivariant } from './multivariant.ts'
import { parseMedia } from './parse-media.ts'
import { type MediaPlaylist, placeSegments, type Segment, type ServerControl } from './playlist.ts'
import { lasting, type Profile, type Report, type Rule, rules, type Violation } from './rules.ts'

/** Without `profile`, only rules of the specification apply. Markers and limits describe outputs of this project. */
export interface ValidatorOptions extends Limits, Markers {
  readonly profile?: Profile
}

export interface FetchedPlaylist {
  /** When the text arrived. */
  readonly atMs: number
  /** When it was asked for, if that was noticeably earlier. */
  readonly sentMs?: number
  readonly rendition: string
  readonly text: string
  /** Whether a delta update was requested. */
  readonly isDelta?: boolean
  /** Subtitles for VOD may have another target duration. */
  readonly isSubtitles?: boolean
}

export interface FetchedDelta extends Omit<FetchedPlaylist, 'isDelta'> {
  /** The full playlist of the same instant, to compare with. */
  readonly full?: string
}

/** Validates the successive playlists of one presentation, as a player would read them. */
export interface PlaylistValidator {
  /** Validates a fetched media playlist; returns its violations. */
  readonly checkMedia: (fetched: FetchedPlaylist) => readonly Violation[]
  /** Merges a delta update with the previous playlist of its rendition and validates the result. */
  readonly checkDelta: (fetched: FetchedDelta) => readonly Violation[]
  readonly checkMultivariant: (text: string, atMs?: number) => readonly Violation[]
  /** Reports what only the one who fetches can see; `undefined` as fault ends a lasting one. */
  readonly note: (rule: Rule, fault: string | undefined, at: NotedAt) => readonly Violation[]
  /** Starts a new session after the end of the channel; sequence numbers and IDs still must not repeat. */
  readonly restart: () => void
  /** The first thousand. */
  readonly violations: readonly Violation[]
  readonly count: () => number
}

export interface NotedAt {
  readonly atMs: number
  readonly rendition: string
}

const MAX_VIOLATIONS = 1_000

export function createPlaylistValidator(options: ValidatorOptions): PlaylistValidator {
  const state = newState(options)
  const violations: Violation[] = []
  let count = 0

  const keep = (found: readonly Violation[]): readonly Violation[] => {
    count += found.length
    violations.push(...found.slice(0, MAX_VIOLATIONS - violations.length))
    return found
  }
  /** Reports each rule once per text, as a fault usually repeats at every segment, and lasting ones when they begin. */
  const collect = (atMs: number, rendition: string, check: (report: Report) => void) => {
    const found = new Map<Rule, Violation>()
    check((rule, detail) => {
      if (state.isHouse || rules[rule].level !== 'house') {
        if (!found.has(rule)) found.set(rule, { rule, atMs, rendition, detail })
      }
    })
    state.lastAtMs = atMs
    return found
  }
  const report = (found: ReadonlyMap<Rule, Violation>, open: Set<Rule>, isWhole: boolean) => {
    const fresh = [...found.values()].filter(({ rule }) => !open.has(rule))
    if (isWhole) for (const rule of open) if (!found.has(rule) && !noted.has(rule)) open.delete(rule)
    for (const rule of found.keys()) if (lasting.has(rule)) open.add(rule)
    return keep(fresh)
  }
  const check = (fetched: FetchedPlaylist, full?: string) => {
    const rendition = findRendition(state, fetched.rendition)
    const isChanged = fetched.text !== rendition.text
    const found = collect(fetched.atMs, fetched.rendition, (add) => {
      if (isChanged) checkChanged(state, rendition, fetched, add)
      else checkUnchanged(state, rendition, fetched, add)
      const difference = full === undefined ? undefined : findDifference(rendition, full, state.isHouse)
      if (difference !== undefined) add('delta-differs', difference)
    })
    return report(found, rendition.open, isChanged)
  }
  return {
    checkMedia: (fetched) => check(fetched),
    checkDelta: ({ full, ...fetched }) => check({ ...fetched, isDelta: true }, full),
    checkMultivariant(text, atMs = state.lastAtMs) {
      const found = collect(atMs, '', (add) => {
        const { plain } = checkMultivariant(text, state.isHouse, add)
        if (state.multivariant !== undefined && state.multivariant !== plain) {
          add('multivariant-changed', 'it differs from the one before')
        }
        state.multivariant = plain
      })
      return report(found, state.open, true)
    },
    note(rule, fault, { atMs, rendition }) {
      const { open } = rendition === '' ? state : findRendition(state, rendition)
      if (fault === undefined) open.delete(rule)
      return fault === undefined || open.has(rule)
        ? []
        : report(new Map([[rule, { rule, atMs, rendition, detail: fault }]]), open, false)
    },
    restart: () => restart(state),
    violations,
    count: () => count,
  }
}

/** Reported by `note`: a text says nothing about them. */
const noted: ReadonlySet<Rule> = new Set<Rule>(['unavailable', 'not-identifiable', 'encoding'])

/** The validator's state for one presentation. */
interface State {
  readonly options: ValidatorOptions
  readonly isHouse: boolean
  readonly renditions: Map<string, Rendition>
  readonly shared: Shared
  /** The lasting violations of the multivariant playlist. */
  readonly open: Set<Rule>
  used: UsedIds
  multivariant: string | undefined
  lastAtMs: number
}

const newState = (options: ValidatorOptions): State => ({
  options,
  isHouse: options.profile === 'house',
  renditions: new Map(),
  shared: newShared(),
  open: new Set(),
  used: { session: 0, byId: new Map() },
  multivariant: undefined,
  lastAtMs: 0,
})

/** The validator's state for one rendition. */
interface Rendition {
  readonly name: string
  /** Kept across restarts, as sequence numbers are. */
  readonly memory: Memory
  /** The lasting violations. */
  readonly open: Set<Rule>
  highestFirst: number | undefined
  version: number | undefined
  target: number | undefined
  /** Subtitles for VOD. */
  hasOwnTarget: boolean
  /** The last text, if it was valid. */
  text: string | undefined
  window: readonly Segment[]
  rangeLines: readonly string[]
  ranges: Ranges
  rangesAtMs: number
  readAtMs: number
  control: ServerControl | undefined
  /** When the last segment was first seen. */
  grewAtMs: number
  isEnded: boolean
}

const newSession = () => ({
  text: undefined,
  window: [],
  rangeLines: [],
  ranges: new Map(),
  rangesAtMs: Number.POSITIVE_INFINITY,
  readAtMs: Number.NEGATIVE_INFINITY,
  control: undefined,
  grewAtMs: Number.POSITIVE_INFINITY,
  isEnded: false,
})

function findRendition({ renditions }: State, name: string): Rendition {
  const known = renditions.get(name)
  if (known !== undefined) return known
  const rendition: Rendition = {
    name,
    memory: createMemory(),
    open: new Set(),
    highestFirst: undefined,
    version: undefined,
    target: undefined,
    hasOwnTarget: false,
    ...newSession(),
  }
  renditions.set(name, rendition)
  return rendition
}

/** A player that reconnects starts without state; sequence numbers and IDs still must not repeat. */
function restart(state: State): void {
  for (const rendition of state.renditions.values()) Object.assign(rendition, newSession())
  state.shared.instant = undefined
  state.used = { ...state.used, session: state.used.session + 1 }
}

/** An unchanged text can only violate the rules about age, and those about what other renditions have. */
function checkUnchanged(state: State, rendition: Rendition, fetched: FetchedPlaylist, report: Report): void {
  if (rendition.isEnded) return
  const reading = readingOf(rendition, fetched, false, state.options)
  checkEdge(rendition.window.at(-1), reading, state.options, state.isHouse, report)
  checkAcrossRenditions(state, rendition, fetched, report)
}

/** Without a target duration no time is too long. */
function readingOf(
  { isEnded, grewAtMs, target }: Rendition,
  { atMs, sentMs = atMs }: FetchedPlaylist,
  hasRemoved: boolean,
  { targetDuration = Number.NaN }: ValidatorOptions,
): Reading {
  return { atMs, sentMs, isEnded, grewAtMs, hasRemoved, targetMs: (target ?? targetDuration) * 1_000 }
}

function checkChanged(state: State, rendition: Rendition, fetched: FetchedPlaylist, report: Report): void {
  const { isHouse } = state
  const { text } = fetched
  rendition.text = undefined
  const playlist = parseMedia(text, { isHouse, recall: rendition.memory.recall, report })
  if (playlist === undefined) return
  if (playlist.skip !== undefined && fetched.isDelta !== true) {
    report('skip-unrequested', 'there is EXT-X-SKIP, a full playlist was requested')
    return
  }
  const { version, target } = rendition
  rendition.hasOwnTarget = fetched.isSubtitles === true && playlist.type === 'VOD'
  checkHeader(playlist, { version, target, targetDuration: findTarget(state, rendition) }, isHouse, report)
  const hasNumbers = playlist.mediaSequence !== undefined && playlist.discontinuitySequence !== undefined
  if (isHouse && !hasNumbers) return
  const window = placeWindow(playlist, rendition, isHouse, report)
  if (playlist.segments.length > 0 && window.length === 0) return
  if (rendition.isEnded) checkEnded(playlist, window, rendition, report)
  else {
    checkAndStore(state, rendition, playlist, window, fetched, report)
    if (playlist.skip === undefined) rendition.text = text
  }
}

/** The target duration that a rendition must have. */
function findTarget({ options, renditions }: State, { name, hasOwnTarget }: Rendition): number | undefined {
  if (options.targetDuration !== undefined || hasOwnTarget) return options.targetDuration
  return renditions.values().find((other) => other.name !== name && !other.hasOwnTarget)?.target
}

function placeWindow(
  playlist: MediaPlaylist,
  { memory, control }: Rendition,
  isHouse: boolean,
  report: Report,
): readonly Segment[] {
  const { skip, segments, discontinuitySequence = 0 } = playlist
  if (skip !== undefined) return mergeDelta(playlist, skip, memory, control, isHouse, report)
  return placeSegments(segments, { discontinuity: discontinuitySequence, before: undefined }, isHouse, report)
}

/** Checks a window against the previous state, then stores it as the new state. */
function checkAndStore(
  state: State,
  rendition: Rendition,
  playlist: MediaPlaylist,
  window: readonly Segment[],
  fetched: FetchedPlaylist,
  report: Report,
): void {
  const { isHouse, options, shared } = state
  const { atMs } = fetched
  const { memory, window: before } = rendition
  const { target, isEnded, control = rendition.control } = playlist
  const isChanged = countReports(report, (counting) =>
    checkNumbers(window, playlist, rendition, isHouse, counting),
  )
  const lastKnown = memory.last()?.sequence ?? -1
  if (isHouse) checkStep(window, memory, shared, report)
  // After a change of numbers, such as the restart of a packager, all is new.
  const grewAtMs = isChanged || hasGrown(window.at(-1), rendition) ? atMs : rendition.grewAtMs
  const hasRemoved = (window[0]?.sequence ?? -1) > (before[0]?.sequence ?? Number.POSITIVE_INFINITY)
  const reading = readingOf({ ...rendition, target, isEnded, grewAtMs }, fetched, hasRemoved, options)
  checkTimes(window, reading, options, isHouse, report)
  const rangeLines = rangeLinesOf(playlist, rendition.rangeLines)
  const isSame = rangeLines === rendition.rangeLines
  const ranges = isSame ? rendition.ranges : checkRanges(state, rendition, rangeLines, window, report)
  if (isHouse) checkBreaks(window, ranges, options, report)
  // A change is reported once; afterwards the new window is the reference.
  if (isChanged) memory.replace(window)
  else memory.remember(window)
  if (playlist.skip === undefined) rendition.version = playlist.version
  const rangesAtMs = isSame ? rendition.rangesAtMs : atMs
  const highestFirst = window[0]?.sequence ?? rendition.highestFirst
  Object.assign(rendition, {
    target,
    control,
    window,
    rangeLines,
    ranges,
    rangesAtMs,
    grewAtMs,
    isEnded,
    highestFirst,
  })
  checkAcrossRenditions(state, rendition, fetched, report)
  if (!isHouse) {
    const added = isChanged ? window : window.filter(({ sequence }) => sequence > lastKnown)
    checkDiscontinuities(added, state.renditions.values(), rendition.name, report)
  }
}

function countReports(report: Report, check: (counting: Report) => void): boolean {
  let isReported = false
  check((rule, detail) => {
    isReported = true
    report(rule, detail)
  })
  return isReported
}

/** The first text counts as new: its age is not known. */
const hasGrown = (last: Segment | undefined, { window, grewAtMs }: Rendition): boolean =>
  grewAtMs === Number.POSITIVE_INFINITY || (last?.sequence ?? -1) > (window.at(-1)?.sequence ?? -1)

function checkRanges(
  { isHouse, options, used }: State,
  { ranges: before, window: windowBefore }: Rendition,
  lines: readonly string[],
  window: readonly Segment[],
  report: Report,
): Ranges {
  const ranges = readRanges(lines, report)
  const listed = windowBefore.at(-1)
  // Otherwise the channel restarted, and earlier breaks are over.
  const continues = window[0] !== undefined && window[0].sequence <= (listed?.sequence ?? -1)
  if (ranges.size > 0 && window.length > 0 && Number.isNaN(window.at(-1)?.startMs)) {
    report('daterange-without-date', 'there is EXT-X-DATERANGE and no EXT-X-PROGRAM-DATE-TIME')
  }
  for (const range of ranges.values()) {
    // If it was listed a moment ago, its START-DATE has changed.
    if (!continues || !before.has(range.id)) checkId(range, used, report)
    checkRange(range, report)
  }
  if (continues) checkKept(ranges, before, window, isHouse, report)
  checkNotice(ranges, before, listed, report)
  if (isHouse) checkNewBreaks(ranges, before, options, listed, report)
  return ranges
}

function checkAcrossRenditions(
  { isHouse, renditions, shared }: State,
  rendition: Rendition,
  { atMs, sentMs = atMs }: FetchedPlaylist,
  report: Report,
): void {
  const { name, window, rangeLines } = rendition
  rendition.readAtMs = atMs
  const [first, last] = [window[0]?.sequence, window.at(-1)?.sequence]
  if (isHouse) checkInstant({ atMs, rendition: name, first, last, ranges: rangeLines }, shared, report)
  else checkTogether(rendition, renditions.values(), sentMs, report)
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
  report('changed-after-end', playlist.isEnded ? 'it has other segments or date ranges' : 'it continues')
  rendition.isEnded = false
}
