import type { MediaPlaylist } from './playlist.ts'
import type { Report } from './rules.ts'

/** Expected header values: those of the output, and those last seen in this rendition. */
export interface Expected {
  readonly targetDuration: number
  readonly version: number | undefined
  readonly target: number | undefined
}

export function checkHeader(playlist: MediaPlaylist, expected: Expected, report: Report): void {
  checkVersion(playlist, expected, report)
  checkTarget(playlist, expected, report)
  if (playlist.mediaSequence === undefined) report('media-sequence-missing', '')
  if (playlist.discontinuitySequence === undefined) report('discontinuity-sequence-missing', '')
  if (playlist.hasType) report('playlist-type', '')
  checkControl(playlist, expected.targetDuration * 1_000, report)
}

function checkVersion(playlist: MediaPlaylist, expected: Expected, report: Report): void {
  const { version, neededVersion, skip } = playlist
  if (version < neededVersion) report('version-low', `${version}, required ${neededVersion}`)
  else if (skip === undefined && expected.version !== undefined && version !== expected.version) {
    report('version-changed', `${version}, was ${expected.version}`)
  }
}

function checkTarget(playlist: MediaPlaylist, expected: Expected, report: Report): void {
  const { target, segments } = playlist
  if (target === undefined) report('target-missing', '')
  else if (expected.target !== undefined && target !== expected.target) {
    report('target-changed', `${target}, was ${expected.target}`)
  } else if (target !== expected.targetDuration) {
    report('target-differs', `${target}, other renditions have ${expected.targetDuration}`)
  }
  for (const { durationMs, uri } of segments) {
    if (Math.round(durationMs / 1_000) > (target ?? expected.targetDuration))
      report('segment-too-long', `${uri} of ${durationMs} ms`)
  }
}

function checkControl({ control }: MediaPlaylist, targetMs: number, report: Report): void {
  const { canSkipUntilMs, holdBackMs } = control ?? {}
  if (canSkipUntilMs !== undefined && canSkipUntilMs < 6 * targetMs) {
    report('skip-boundary-low', `${canSkipUntilMs} ms`)
  }
  if (holdBackMs !== undefined && holdBackMs < 3 * targetMs) report('hold-back-low', `${holdBackMs} ms`)
}
