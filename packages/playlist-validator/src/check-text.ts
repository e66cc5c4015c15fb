import { endOf, type MediaPlaylist, ROUNDING_MS, type Segment, seconds } from './playlist.ts'
import type { Report } from './rules.ts'

/** The settings of an output of this project; others are known only by what they list. */
export interface Limits {
  /** In seconds. Without it, all renditions must have that of the first one. */
  readonly targetDuration?: number
  /** Maximum length of the window; one more segment is allowed. */
  readonly maxWindowMs?: number
  /** How much later than one target duration the last segment may have ended. */
  readonly edgeToleranceMs?: number
  /** How far the validator's clock may be behind the clock of the playout node. */
  readonly clockToleranceMs?: number
}

/** Expected header values: those of the output, and those last seen in this rendition. */
export interface Expected {
  readonly targetDuration: number | undefined
  readonly version: number | undefined
  readonly target: number | undefined
}

export function checkHeader(
  playlist: MediaPlaylist,
  expected: Expected,
  isHouse: boolean,
  report: Report,
): void {
  checkVersion(playlist, expected, report)
  checkTarget(playlist, expected, report)
  checkControl(playlist, report)
  checkParts(playlist, report)
  if (!isHouse) return
  if (playlist.mediaSequence === undefined)
    report('media-sequence-missing', 'there is no EXT-X-MEDIA-SEQUENCE')
  if (playlist.discontinuitySequence === undefined) {
    report('discontinuity-sequence-missing', 'there is no EXT-X-DISCONTINUITY-SEQUENCE')
  }
  if (playlist.type !== undefined) report('playlist-type', `${playlist.type}; a live playlist has none`)
}

function checkVersion(playlist: MediaPlaylist, expected: Expected, report: Report): void {
  const { version, neededVersion, skip } = playlist
  if (version < neededVersion) {
    report('version-low', `EXT-X-VERSION is ${version}, what is used needs ${neededVersion}`)
  } else if (skip === undefined && expected.version !== undefined && version !== expected.version) {
    report('version-changed', `EXT-X-VERSION is ${version}, was ${expected.version}`)
  }
}

function checkTarget(playlist: MediaPlaylist, expected: Expected, report: Report): void {
  const { target, segments } = playlist
  if (target === undefined) report('target-missing', 'there is no EXT-X-TARGETDURATION')
  else if (expected.target !== undefined && target !== expected.target) {
    report('target-changed', `EXT-X-TARGETDURATION is ${target}, was ${expected.target}`)
  } else if (expected.targetDuration !== undefined && target !== expected.targetDuration) {
    report(
      'target-differs',
      `EXT-X-TARGETDURATION is ${target}, other renditions have ${expected.targetDuration}`,
    )
  }
  const limit = target ?? expected.targetDuration ?? Number.POSITIVE_INFINITY
  for (const { durationMs, uri } of segments) {
    if (Math.round(durationMs / 1_000) > limit) {
      report('segment-too-long', `${uri} has ${seconds(durationMs)}, EXT-X-TARGETDURATION is ${limit}`)
    }
  }
}

function checkControl({ control, target }: MediaPlaylist, report: Report): void {
  const { canSkipUntilMs, holdBackMs } = control ?? {}
  const targetMs = (target ?? 0) * 1_000
  if (canSkipUntilMs !== undefined && canSkipUntilMs < 6 * targetMs) {
    report(
      'skip-boundary-low',
      `CAN-SKIP-UNTIL is ${seconds(canSkipUntilMs)}, must be at least ${seconds(6 * targetMs)}`,
    )
  }
  if (holdBackMs !== undefined && holdBackMs < 3 * targetMs) {
    report('hold-back-low', `HOLD-BACK is ${seconds(holdBackMs)}, must be at least ${seconds(3 * targetMs)}`)
  }
}

function checkParts({ parts, control }: MediaPlaylist, report: Report): void {
  const { targetMs, longestMs, hasAny } = parts
  if (targetMs === undefined) {
    if (hasAny) report('part-inf-missing', 'there is EXT-X-PART and no EXT-X-PART-INF')
    return
  }
  const holdBackMs = control?.partHoldBackMs
  if (holdBackMs === undefined || holdBackMs < 2 * targetMs) {
    const there =
      holdBackMs === undefined ? 'there is no PART-HOLD-BACK' : `PART-HOLD-BACK is ${seconds(holdBackMs)}`
    report('part-hold-back', `${there}, must be at least ${seconds(2 * targetMs)}`)
  }
  if (longestMs > targetMs) {
    report('part-too-long', `a part has ${seconds(longestMs)}, PART-TARGET is ${seconds(targetMs)}`)
  }
}

/** When a text was read, and what is known of its age. */
export interface Reading {
  readonly atMs: number
  /** When it was asked for. */
  readonly sentMs: number
  readonly isEnded: boolean
  /** When the last segment was first seen. */
  readonly grewAtMs: number
  /** Whether segments have been removed since the previous text. */
  readonly hasRemoved: boolean
  readonly targetMs: number
}

const EDGE_TOLERANCE_MS = 100
/** EXTINFs are rounded, and a window adds them up. */
const LENGTH_TOLERANCE_MS = 50

/** Checks the length of the window and the age of its last segment. */
export function checkTimes(
  window: readonly Segment[],
  reading: Reading,
  limits: Limits,
  isHouse: boolean,
  report: Report,
): void {
  const last = window.at(-1)
  if (isHouse && last === undefined && !reading.isEnded) report('window-short', 'no segment is listed')
  checkLength(window, reading, limits, isHouse, report)
  if (isHouse && last !== undefined) checkEarly(last, reading, limits, report)
  if (!reading.isEnded) checkEdge(last, reading, limits, isHouse, report)
}

function checkLength(
  window: readonly Segment[],
  { isEnded, hasRemoved, targetMs }: Reading,
  limits: Limits,
  isHouse: boolean,
  report: Report,
): void {
  if (window.length === 0) return
  const lengthMs = window.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const shortestMs = 3 * targetMs - (isHouse ? ROUNDING_MS : LENGTH_TOLERANCE_MS)
  if (!isEnded && lengthMs < shortestMs && (isHouse || hasRemoved)) {
    const what = isHouse ? 'are listed' : 'are left after a segment was removed'
    report('window-short', `${seconds(lengthMs)} ${what}, must be at least ${seconds(3 * targetMs)}`)
  }
  const longestMs = (limits.maxWindowMs ?? Number.POSITIVE_INFINITY) + targetMs + EDGE_TOLERANCE_MS
  if (lengthMs > longestMs) report('window-long', `${seconds(lengthMs)}, at most ${seconds(longestMs)}`)
}

function checkEarly(last: Segment, { atMs }: Reading, limits: Limits, report: Report): void {
  const aheadMs = endOf(last) - atMs
  if (aheadMs > ROUNDING_MS + (limits.clockToleranceMs ?? 0)) {
    report('listed-early', `${last.uri} ends in ${aheadMs} ms`)
  }
}

/** A late edge caused by a playlist without new segments is reported as `not-updated` only. */
export function checkEdge(
  last: Segment | undefined,
  { sentMs, grewAtMs, targetMs }: Reading,
  limits: Limits,
  isHouse: boolean,
  report: Report,
): void {
  const ageMs = sentMs - grewAtMs
  if (ageMs > 1.5 * targetMs) {
    const what = last === undefined ? 'no segment' : `no segment after ${last.uri}`
    report('not-updated', `${what} for ${seconds(ageMs)}, due after ${seconds(1.5 * targetMs)}`)
  } else if (isHouse && last !== undefined) {
    const lateMs = sentMs - endOf(last) - targetMs
    if (lateMs >= (limits.edgeToleranceMs ?? EDGE_TOLERANCE_MS)) {
      report('edge-late', `${last.uri} ended ${seconds(lateMs)} more than a target duration ago`)
    }
  }
}
