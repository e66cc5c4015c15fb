import { type Attributes, readAttributes, readQuoted } from './attributes.ts'
import { firstLineFault, shorten } from './parse-media.ts'
import type { Report } from './rules.ts'

/** A media playlist that a multivariant playlist lists. */
export interface ListedPlaylist {
  readonly uri: string
  readonly isSubtitles: boolean
}

export interface Multivariant {
  /** The text without the parts that may change. */
  readonly plain: string
  readonly playlists: readonly ListedPlaylist[]
}

interface Draft {
  readonly isHouse: boolean
  readonly report: Report
  readonly playlists: ListedPlaylist[]
  readonly uris: Set<string>
  readonly seen: Set<string>
  /** The names of the renditions of each group, by type and group. */
  readonly groups: Map<string, { readonly names: Set<string>; hasDefault: boolean }>
  /** The groups that variants name. */
  readonly named: Set<string>
  /** The attributes of the variant whose URI comes next. */
  stream: string | undefined
}

/** Whether a text lists other playlists. */
export const isMultivariant = (text: string): boolean =>
  /^#EXT-X-(?:STREAM-INF|MEDIA|I-FRAME-STREAM-INF):/m.test(text)

/** Checks a multivariant playlist, and returns what it lists. */
export function checkMultivariant(text: string, isHouse: boolean, report: Report): Multivariant {
  const lines = text.split(/\r?\n/)
  const draft: Draft = {
    isHouse,
    report,
    playlists: [],
    uris: new Set(),
    seen: new Set(),
    groups: new Map(),
    named: new Set(),
    stream: undefined,
  }
  if (lines[0] !== '#EXTM3U') report('first-line', firstLineFault(lines[0] ?? ''))
  for (const line of lines.slice(1)) {
    if (line.startsWith('#EXT')) readTag(line, draft)
    else if (line !== '' && !line.startsWith('#')) addVariant(line, draft)
  }
  if (draft.stream !== undefined) report('uri-missing', 'the last EXT-X-STREAM-INF has no URI after it')
  if (draft.uris.size === 0) report('variant-missing', 'there is no variant with a URI')
  for (const group of draft.named) {
    if (!draft.groups.has(group)) report('group-missing', `a variant has ${group}, no EXT-X-MEDIA defines it`)
  }
  return { plain: withoutSid(text), playlists: draft.playlists }
}

/** Removes the query parameter that identifies the viewing session. */
const withoutSid = (text: string): string =>
  text.replaceAll(/([?&])sid=[^&\s"]*(&?)/g, (_, before: string, after: string) =>
    after === '' ? '' : before,
  )

const once = ['EXT-X-VERSION', 'EXT-X-INDEPENDENT-SEGMENTS', 'EXT-X-START', 'EXT-X-CONTENT-STEERING']
const ours = ['EXT-X-VERSION', 'EXT-X-INDEPENDENT-SEGMENTS']
const segmentTags =
  /^EXTINF$|^EXT-X-(?:TARGETDURATION|MEDIA-SEQUENCE|DISCONTINUITY(?:-SEQUENCE)?|ENDLIST|PLAYLIST-TYPE|BYTERANGE|KEY|MAP)$/

function readTag(line: string, draft: Draft): void {
  const { report, isHouse } = draft
  const colon = line.indexOf(':')
  const name = line.slice(1, colon === -1 ? undefined : colon)
  const value = colon === -1 ? '' : line.slice(colon + 1)
  if (draft.stream !== undefined) {
    if (name === 'EXT-X-STREAM-INF')
      report('uri-missing', `${shorten(line)} follows another without a URI between them`)
    else report('tag-order', `${shorten(line)} is between a variant and its URI`)
  }
  if (draft.seen.has(name) && once.includes(name)) {
    report('duplicate-tag', `${shorten(line)} is the second of its kind; one is allowed`)
  }
  draft.seen.add(name)
  if (name === 'EXT-X-STREAM-INF') draft.stream = value
  else if (isHouse && !ours.includes(name))
    report('unknown-tag', `${shorten(line)} is no tag of our channels`)
  else if (name === 'EXT-X-MEDIA') addRendition(value, draft)
  else if (segmentTags.test(name)) {
    report(
      'mixed-playlist',
      `${shorten(line)} is in a multivariant playlist; it belongs in a playlist of segments`,
    )
  }
}

function readList(
  name: string,
  value: string,
  required: readonly string[],
  report: Report,
): Attributes | undefined {
  const attributes = readAttributes(value)
  if (attributes === undefined) {
    report('malformed-value', `${shorten(`#${name}:${value}`)} should have <attribute list>`)
  }
  const missing = attributes && required.find((attribute) => !attributes.has(attribute))
  if (missing !== undefined) report('attribute-missing', `${shorten(`#${name}:${value}`)} has no ${missing}`)
  return attributes
}

function addRendition(value: string, { report, groups, playlists }: Draft): void {
  const attributes = readList('EXT-X-MEDIA', value, ['TYPE', 'GROUP-ID', 'NAME'], report)
  if (attributes === undefined) return
  const type = attributes.get('TYPE') ?? ''
  const [groupId, name] = [attributes.get('GROUP-ID') ?? '', attributes.get('NAME') ?? '']
  const uri = readQuoted(attributes.get('URI'))
  const needed = type === 'SUBTITLES' ? 'URI' : type === 'CLOSED-CAPTIONS' ? 'INSTREAM-ID' : undefined
  if (needed !== undefined && !attributes.has(needed)) {
    report('attribute-missing', `the ${type} rendition ${name} has no ${needed}`)
  }
  const key = `${type}=${groupId}`
  const group = groups.get(key) ?? { names: new Set(), hasDefault: false }
  groups.set(key, group)
  const isDefault = attributes.get('DEFAULT') === 'YES'
  if (group.names.has(name)) report('group-conflict', `${key} has two renditions with the name ${name}`)
  else if (isDefault && group.hasDefault)
    report('group-conflict', `${key} has two renditions with DEFAULT=YES`)
  group.names.add(name)
  group.hasDefault ||= isDefault
  if (uri !== undefined) playlists.push({ uri, isSubtitles: type === 'SUBTITLES' })
}

const GROUP_TYPES = ['AUDIO', 'VIDEO', 'SUBTITLES', 'CLOSED-CAPTIONS']

function addVariant(uri: string, draft: Draft): void {
  const { stream, uris, report } = draft
  if (stream === undefined) report('stream-inf-missing', `${shorten(uri)} has no EXT-X-STREAM-INF before it`)
  else {
    const attributes = readList('EXT-X-STREAM-INF', stream, ['BANDWIDTH'], report)
    for (const type of attributes === undefined ? [] : GROUP_TYPES) {
      const group = readQuoted(attributes?.get(type))
      if (group !== undefined) draft.named.add(`${type}="${group}"`)
    }
    if (attributes !== undefined && !attributes.has('CODECS')) {
      report('codecs-missing', `the variant ${shorten(uri)} has no CODECS`)
    }
    if (attributes !== undefined && !/^\d+x\d+$/.test(attributes.get('RESOLUTION') ?? '')) {
      report('resolution-missing', `the variant ${shorten(uri)} has no RESOLUTION`)
    }
  }
  const address = withoutSid(uri)
  if (uris.has(address)) report('variant-uri-repeated', `${address} is the URI of two variants`)
  uris.add(address)
  draft.playlists.push({ uri, isSubtitles: false })
  draft.stream = undefined
}
