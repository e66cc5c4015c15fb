import {
  readAttributes,
  readCueAttributes,
  readDateMs,
  readInteger,
  readQuoted,
  readSecondsMs,
} from './attributes.ts'
import { type Draft, fail } from './draft.ts'
import type { Cue } from './playlist.ts'

/** A tag of a media playlist: its position, the version it requires, its parser. */
interface Tag {
  readonly position: TagPosition
  readonly needs: number
  /** Returns false if the value is malformed. */
  readonly read: (draft: Draft, value: string | undefined) => boolean
}

export type TagPosition = 'header' | 'segment' | 'anywhere'

type Read = Tag['read']

const header = (read: Read, needs = 1): Tag => ({ position: 'header', needs, read })
const segment = (read: Read, needs = 1): Tag => ({ position: 'segment', needs, read })
const anywhere = (read: Read, needs = 1): Tag => ({ position: 'anywhere', needs, read })

/**
 * The tags that our channels may use. The versions are those of HLS §8; players ignore unknown tags, so some tags
 * were added without a new version.
 */
export const tags: ReadonlyMap<string, Tag> = new Map([
  ['EXT-X-VERSION', header(integer((draft, value) => (draft.version = value)))],
  ['EXT-X-TARGETDURATION', header(integer((draft, value) => (draft.target = value)))],
  ['EXT-X-MEDIA-SEQUENCE', header(integer((draft, value) => (draft.mediaSequence = value)))],
  ['EXT-X-DISCONTINUITY-SEQUENCE', header(integer((draft, value) => (draft.discontinuitySequence = value)))],
  ['EXT-X-INDEPENDENT-SEGMENTS', header((_, value) => value === undefined)],
  ['EXT-X-PLAYLIST-TYPE', header(readType)],
  ['EXT-X-SERVER-CONTROL', header(readControl)],
  ['EXT-X-SKIP', header(readSkip, 9)],
  ['EXT-X-DATERANGE', anywhere(readRange)],
  ['EXT-X-ENDLIST', anywhere(readEnd)],
  ['EXTINF', segment(readDuration)],
  ['EXT-X-DISCONTINUITY', segment(readDiscontinuity)],
  ['EXT-X-PROGRAM-DATE-TIME', segment(readDateTime)],
  ['EXT-X-CUE-OUT', segment(readCueOut)],
  ['EXT-X-CUE-OUT-CONT', segment(readCueCont)],
  ['EXT-X-CUE-IN', segment((draft, value) => value === undefined && addCue(draft, { kind: 'IN' }))],
])

function integer(keep: (draft: Draft, value: number) => void): Read {
  return (draft, text) => {
    const value = readInteger(text)
    if (value !== undefined) keep(draft, value)
    return value !== undefined
  }
}

function readType(draft: Draft, value: string | undefined): boolean {
  draft.hasType = true
  return value === 'EVENT' || value === 'VOD'
}

function readControl(draft: Draft, value = ''): boolean {
  const attributes = readAttributes(value)
  const canSkipUntilMs = readSecondsMs(attributes?.get('CAN-SKIP-UNTIL'))
  const holdBackMs = readSecondsMs(attributes?.get('HOLD-BACK'))
  draft.control = { canSkipUntilMs, holdBackMs }
  return (
    attributes !== undefined &&
    attributes.has('CAN-SKIP-UNTIL') === (canSkipUntilMs !== undefined) &&
    attributes.has('HOLD-BACK') === (holdBackMs !== undefined)
  )
}

function readSkip(draft: Draft, value = ''): boolean {
  const attributes = readAttributes(value)
  const segments = readInteger(attributes?.get('SKIPPED-SEGMENTS'))
  const removed = attributes?.get('RECENTLY-REMOVED-DATERANGES')
  if (removed !== undefined) draft.neededVersion = 10
  if (segments === undefined) return false
  draft.skip = { segments, removedRanges: readQuoted(removed)?.split('\t') }
  return segments > 0 && (removed === undefined || removed.startsWith('"'))
}

function readRange(draft: Draft, value: string | undefined): boolean {
  draft.ranges.push(value ?? '')
  draft.pending.hasRange = draft.blockFrom !== undefined
  return value !== undefined
}

function readEnd(draft: Draft, value: string | undefined): boolean {
  draft.isEnded = true
  return value === undefined
}

function readDuration(draft: Draft, value = ''): boolean {
  const { pending } = draft
  const comma = value.indexOf(',')
  const text = value.slice(0, comma === -1 ? 0 : comma)
  if (pending.durationMs !== undefined) fail(draft, 'duplicate-tag', 'EXTINF')
  if (text.includes('.')) pending.neededVersion = 3
  pending.durationMs = readSecondsMs(text)
  return pending.durationMs !== undefined && pending.durationMs > 0
}

function readDiscontinuity(draft: Draft, value: string | undefined): boolean {
  if (draft.pending.isTagged) fail(draft, 'duplicate-tag', 'EXT-X-DISCONTINUITY')
  draft.pending.isTagged = true
  return value === undefined
}

function readDateTime(draft: Draft, value: string | undefined): boolean {
  if (draft.pending.pdtMs !== undefined) fail(draft, 'duplicate-tag', 'EXT-X-PROGRAM-DATE-TIME')
  draft.pending.pdtMs = readDateMs(value)
  return draft.pending.pdtMs !== undefined
}

function readCueOut(draft: Draft, value = ''): boolean {
  const durationMs = readSecondsMs(readCueAttributes(value)?.get('DURATION'))
  return durationMs !== undefined && addCue(draft, { kind: 'OUT', durationMs })
}

function readCueCont(draft: Draft, value = ''): boolean {
  const attributes = readCueAttributes(value)
  const elapsedMs = readSecondsMs(attributes?.get('ElapsedTime'))
  const durationMs = readSecondsMs(attributes?.get('Duration'))
  if (elapsedMs === undefined || durationMs === undefined) return false
  return addCue(draft, { kind: 'CONT', elapsedMs, durationMs })
}

function addCue(draft: Draft, cue: Cue): boolean {
  const { pending } = draft
  if (pending.cues.some(({ kind }) => kind === cue.kind)) fail(draft, 'duplicate-tag', `CUE-${cue.kind}`)
  pending.cues = [...pending.cues, cue]
  return true
}
