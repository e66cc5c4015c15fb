import { type ListedSegment, type MediaPlaylist, placeSegments, type Segment } from './playlist.ts'
import { type Profile, type Report, type Rule, rules } from './rules.ts'
import { type Draft, fail, failWhole, houseTags, newDraft, newPending, type Tag, tags } from './tags.ts'

/** Returns the segment that an earlier text listed under this sequence number. */
export type Recall = (sequence: number) => ListedSegment | undefined

export interface ParseOptions {
  readonly isHouse: boolean
  readonly recall?: Recall
  readonly report?: Report
}

const HASH = 35
const CARRIAGE_RETURN = 13

/**
 * Parses a media playlist. Faults are reported; undefined if the text has no meaning, and in the house profile after any
 * fault.
 *
 * Most segments are identical to those of the previous text. They are taken from `recall` without parsing them
 * again, which makes a validation of several days several times faster.
 */
export function parseMedia(
  text: string,
  { isHouse, recall = () => undefined, report = () => {} }: ParseOptions,
): MediaPlaylist | undefined {
  const draft = newDraft(isHouse)
  readLines(text, draft, recall)
  for (const { rule, detail } of draft.faults) report(rule, detail)
  return draft.isUnreadable ? undefined : draft
}

/** The segments of a text with their discontinuity numbers and times; empty if it has no meaning. */
export function readSegments(text: string, profile: Profile = 'specification'): readonly Segment[] {
  const isHouse = profile === 'house'
  const playlist = parseMedia(text, { isHouse })
  if (playlist === undefined || (isHouse && playlist.discontinuitySequence === undefined)) return []
  const origin = { discontinuity: playlist.discontinuitySequence ?? 0, before: undefined }
  return placeSegments(playlist.segments, origin, isHouse, () => {})
}

function readLines(text: string, draft: Draft, recall: Recall): void {
  let from = readFirst(text, draft)
  while (from < text.length && !draft.isUnreadable) {
    const known = findUnchanged(text, from, draft, recall)
    if (known !== undefined) {
      draft.segments.push(known)
      from += known.block.length
    } else {
      const end = endOfLine(text, from)
      readLine(draft, text, from, end)
      from = end + 1
    }
  }
  if (draft.pending.durationMs !== undefined)
    fail(draft, 'uri-missing', 'the last EXTINF has no URI after it')
  else if (draft.blockFrom !== undefined)
    fail(draft, 'tag-order', 'segment tags at the end, without a segment')
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** The text of a line, without its end. */
const lineAt = (text: string, from: number, end: number): string =>
  text.slice(from, text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end)

function readFirst(text: string, draft: Draft): number {
  const end = endOfLine(text, 0)
  const line = lineAt(text, 0, end)
  if (line !== '#EXTM3U') failWhole(draft, 'first-line', firstLineFault(line))
  return end + 1
}

export const firstLineFault = (line: string): string =>
  line === ''
    ? 'the first line is empty; it must be #EXTM3U'
    : `the first line is ${shorten(line)}; it must be #EXTM3U`

/** Lines of others may be long, and are printed in one line. */
export const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 157)}...` : text)

function findUnchanged(text: string, from: number, draft: Draft, recall: Recall): ListedSegment | undefined {
  if (draft.blockFrom !== undefined || draft.mediaSequence === undefined || draft.isEnded) return undefined
  const known = recall(nextSequence(draft))
  // Faster than startsWith, which compares character by character.
  const isAgain = known !== undefined && text.slice(from, from + known.block.length) === known.block
  if (!isAgain || known.block === '' || known.key !== draft.key || known.map !== draft.map) return undefined
  draft.neededVersion = Math.max(draft.neededVersion, known.neededVersion)
  return known
}

/** The sequence number of the next segment. */
const nextSequence = ({ mediaSequence, skip, segments }: Draft): number =>
  (mediaSequence ?? 0) + (skip?.segments ?? 0) + segments.length

function readLine(draft: Draft, text: string, from: number, end: number): void {
  const line = lineAt(text, from, end)
  if (line === '') return
  if (line.charCodeAt(0) !== HASH) addSegment(draft, line, text, end)
  else if (line.startsWith('#EXT')) readTag(draft, line, from)
}

const multivariantTags = ['EXT-X-STREAM-INF', 'EXT-X-MEDIA', 'EXT-X-I-FRAME-STREAM-INF']

function readTag(draft: Draft, line: string, from: number): void {
  const colon = line.indexOf(':')
  const name = colon === -1 ? line.slice(1) : line.slice(1, colon)
  const tag = (draft.isHouse ? houseTags : tags).get(name)
  if (tag === undefined) {
    if (multivariantTags.includes(name)) {
      fail(
        draft,
        'mixed-playlist',
        `${shorten(line)} is in a playlist of segments; it belongs in a multivariant one`,
      )
    } else fail(draft, 'unknown-tag', `${shorten(line)} is no tag of our channels`)
    return
  }
  const rule = positionFault(draft, name, tag)
  if (rule !== undefined) {
    fail(draft, rule, faultOf(rule, line))
    if (draft.isUnreadable || rules[rule].level !== 'house') return
  }
  if (tag.position === 'header') draft.seen.add(name)
  if (tag.position === 'segment') draft.blockFrom ??= from
  draft.neededVersion = Math.max(draft.neededVersion, tag.needs)
  if (tag.read(draft, colon === -1 ? undefined : line.slice(colon + 1))) return
  const failAs = tag.isVital ? failWhole : fail
  failAs(draft, 'malformed-value', `${shorten(line)} should have ${tag.form}`)
}

/** The rule that a tag at this position violates. */
function positionFault(draft: Draft, name: string, { position }: Tag): Rule | undefined {
  const { pending, segments, seen, isEnded, blockFrom } = draft
  if (isEnded && draft.isHouse) return 'endlist-place'
  if (position === 'header') {
    if (seen.has(name)) return 'duplicate-tag'
    const isLate = segments.length > 0 || pending.isTagged
    if (isLate && name.endsWith('-SEQUENCE')) return 'sequence-tag-late'
    if (segments.length > 0 || blockFrom !== undefined) return 'tag-order'
  }
  const isLate = position === 'segment' && pending.durationMs !== undefined && name !== 'EXTINF'
  return isLate ? 'tag-order' : undefined
}

function faultOf(rule: Rule, line: string): string {
  if (rule === 'duplicate-tag') return `${shorten(line)} is the second of its kind; one is allowed`
  if (rule === 'sequence-tag-late')
    return `${shorten(line)} comes after a segment; it must come before the first`
  if (rule === 'endlist-place') return `${shorten(line)} comes after EXT-X-ENDLIST`
  return `${shorten(line)} is in the wrong place`
}

function addSegment(draft: Draft, uri: string, text: string, end: number): void {
  const { pending, blockFrom = end, segments, key, map } = draft
  const { durationMs, byteRange, reachesFurther, neededVersion } = pending
  if (draft.isEnded) fail(draft, 'endlist-place', `${shorten(uri)} comes after EXT-X-ENDLIST`)
  if (durationMs === undefined) fail(draft, 'extinf-missing', `${shorten(uri)} has no EXTINF before it`)
  else if (/\s/.test(uri)) fail(draft, 'malformed-value', `${shorten(uri)} is no URI: it has white space`)
  const block = reachesFurther || end === text.length ? '' : text.slice(blockFrom, end + 1)
  segments.push({
    sequence: nextSequence(draft),
    uri,
    byteRange: byteRange === undefined ? undefined : placeRange(byteRange, uri, draft),
    durationMs: durationMs ?? 0,
    isTagged: pending.isTagged,
    pdtMs: pending.pdtMs,
    key,
    map,
    cues: pending.cues,
    neededVersion,
    block: durationMs === undefined ? '' : block,
  })
  draft.neededVersion = Math.max(draft.neededVersion, neededVersion)
  draft.pending = newPending()
  draft.blockFrom = undefined
}

/** Without an offset, a range begins after that of the segment before it. The next text may give the offset. */
function placeRange(byteRange: string, uri: string, draft: Draft): string {
  if (byteRange.includes('@')) return byteRange
  const last = draft.segments.at(-1)
  const [length, offset] = last?.uri === uri ? (last.byteRange ?? '').split('@') : []
  if (offset !== undefined) return `${byteRange}@${Number(length) + Number(offset)}`
  const what = `${shorten(uri)} has the byte range ${byteRange}, which needs an offset here`
  fail(draft, 'byterange-undefined', what)
  return byteRange
}
