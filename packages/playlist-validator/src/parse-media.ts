import { type Draft, fail, newDraft, newPending, nextSequence } from './draft.ts'
import type { ListedSegment, MediaPlaylist } from './playlist.ts'
import type { Report, Rule } from './rules.ts'
import { type TagPosition, tags } from './tags.ts'

/** Returns the segment that an earlier text listed under this sequence number. */
export type Recall = (sequence: number) => ListedSegment | undefined

const HASH = 35

/**
 * Parses a media playlist strictly: reports the first syntax error and returns undefined.
 *
 * Most segments are identical to those of the previous text. They are taken from `recall` without parsing them
 * again, which makes a validation of several days several times faster.
 */
export function parseMedia(text: string, report: Report, recall: Recall): MediaPlaylist | undefined {
  const draft = newDraft()
  readLines(text, draft, recall)
  if (draft.fault === undefined) return draft
  report(draft.fault.rule, draft.fault.detail)
  return undefined
}

function readLines(text: string, draft: Draft, recall: Recall): void {
  let from = readFirst(text, draft)
  while (from < text.length && draft.fault === undefined) {
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
  if (draft.blockFrom !== undefined) fail(draft, 'tag-order', 'segment tags without URI at the end')
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function readFirst(text: string, draft: Draft): number {
  const end = endOfLine(text, 0)
  if (text.slice(0, end) !== '#EXTM3U') fail(draft, 'first-line', text.slice(0, end))
  return end + 1
}

function findUnchanged(text: string, from: number, draft: Draft, recall: Recall): ListedSegment | undefined {
  if (draft.blockFrom !== undefined || draft.mediaSequence === undefined || draft.isEnded) return undefined
  const known = recall(nextSequence(draft))
  // Faster than startsWith, which compares character by character.
  const isAgain = known !== undefined && text.slice(from, from + known.block.length) === known.block
  if (!isAgain || known.block === '') return undefined
  draft.neededVersion = Math.max(draft.neededVersion, known.neededVersion)
  return known
}

function readLine(draft: Draft, text: string, from: number, end: number): void {
  if (from === end) return
  const line = text.slice(from, end)
  if (line.charCodeAt(0) !== HASH) addSegment(draft, line, text, end)
  else if (line.startsWith('#EXT')) readTag(draft, line, from)
}

function readTag(draft: Draft, line: string, from: number): void {
  const colon = line.indexOf(':')
  const name = colon === -1 ? line.slice(1) : line.slice(1, colon)
  const tag = tags.get(name)
  const rule = tag && positionFault(draft, name, tag.position)
  if (tag === undefined) fail(draft, 'unknown-tag', line)
  else if (rule !== undefined) fail(draft, rule, line)
  else {
    if (tag.position === 'header') draft.seen.add(name)
    if (tag.position === 'segment') draft.blockFrom ??= from
    draft.neededVersion = Math.max(draft.neededVersion, tag.needs)
    const isRead = tag.read(draft, colon === -1 ? undefined : line.slice(colon + 1))
    if (!isRead) fail(draft, 'malformed-value', line)
  }
}

/** The rule that a tag at this position violates. */
function positionFault(draft: Draft, name: string, place: TagPosition): Rule | undefined {
  const { pending, segments, seen, isEnded, blockFrom } = draft
  if (isEnded) return 'endlist-place'
  if (place === 'header') {
    if (segments.length > 0 || blockFrom !== undefined) return 'tag-order'
    if (seen.has(name)) return 'duplicate-tag'
  }
  const isLate = place === 'segment' && pending.durationMs !== undefined && name !== 'EXTINF'
  return isLate ? 'tag-order' : undefined
}

function addSegment(draft: Draft, uri: string, text: string, end: number): void {
  const { pending, blockFrom = end } = draft
  const { durationMs, hasRange, neededVersion } = pending
  // A date range among the tags of a segment belongs to the playlist and must be parsed every time.
  const block = hasRange || end === text.length ? '' : text.slice(blockFrom, end + 1)
  if (draft.isEnded) fail(draft, 'endlist-place', `${uri} after the end`)
  else if (durationMs === undefined) fail(draft, 'tag-order', `${uri} without EXTINF`)
  else if (/\s/.test(uri)) fail(draft, 'malformed-value', uri)
  else {
    const { isTagged, pdtMs, cues } = pending
    const sequence = nextSequence(draft)
    draft.segments.push({ sequence, uri, durationMs, isTagged, pdtMs, cues, neededVersion, block })
    draft.neededVersion = Math.max(draft.neededVersion, neededVersion)
  }
  draft.pending = newPending()
  draft.blockFrom = undefined
}
