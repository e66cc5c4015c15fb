import {
  type Attributes,
  hasZone,
  readAttributes,
  readCueAttributes,
  readDateMs,
  readInteger,
  readQuoted,
  readSecondsMs,
} from './attributes.ts'
import { type Cue, type ListedSegment, type MediaPlaylist, NO_CUES, type Parts } from './playlist.ts'
import { type Rule, rules } from './rules.ts'

/** A media playlist while it is parsed, line by line. */
export interface Draft extends Mutable<MediaPlaylist> {
  /** Whether the first fault ends the parsing, and rules of the house profile apply. */
  readonly isHouse: boolean
  readonly ranges: string[]
  readonly segments: ListedSegment[]
  readonly parts: Mutable<Parts>
  readonly faults: { readonly rule: Rule; readonly detail: string }[]
  /** Set by a fault after which the text has no meaning. */
  isUnreadable: boolean
  isIFramesOnly: boolean
  /** The tags since the last URI. */
  pending: Pending
  /** The offset of the first of them in the text. */
  blockFrom: number | undefined
  /** The tags about the playlist so far. */
  readonly seen: Set<string>
  /** Of the segments from here on: EXT-X-MAP, and EXT-X-KEY by its KEYFORMAT. */
  map: string | undefined
  keys: ReadonlyMap<string, string>
  key: string | undefined
}

type Mutable<T> = { -readonly [name in keyof T]: T[name] }

export interface Pending {
  durationMs: number | undefined
  byteRange: string | undefined
  isTagged: boolean
  pdtMs: number | undefined
  cues: readonly Cue[]
  neededVersion: number
  /** Whether a tag among them says something about more than this segment. */
  reachesFurther: boolean
}

export const newPending = (): Pending => ({
  durationMs: undefined,
  byteRange: undefined,
  isTagged: false,
  pdtMs: undefined,
  cues: NO_CUES,
  neededVersion: 1,
  reachesFurther: false,
})

const NO_KEYS: ReadonlyMap<string, string> = new Map()

export const newDraft = (isHouse: boolean): Draft => ({
  isHouse,
  version: 1,
  neededVersion: 1,
  target: undefined,
  mediaSequence: undefined,
  discontinuitySequence: undefined,
  type: undefined,
  isEnded: false,
  isIFramesOnly: false,
  control: undefined,
  skip: undefined,
  parts: { targetMs: undefined, longestMs: 0, hasAny: false },
  ranges: [],
  segments: [],
  faults: [],
  isUnreadable: false,
  pending: newPending(),
  blockFrom: undefined,
  seen: new Set(),
  map: undefined,
  keys: NO_KEYS,
  key: undefined,
})

/** Notes a fault; the house profile stops at the first, otherwise the rest of the text is still checked. */
export function fail(draft: Draft, rule: Rule, detail: string): void {
  if (draft.isUnreadable || (!draft.isHouse && rules[rule].level === 'house')) return
  draft.faults.push({ rule, detail })
  draft.isUnreadable = draft.isHouse
}

/** A fault after which the numbers or times of segments would be guesses. */
export function failWhole(draft: Draft, rule: Rule, detail: string): void {
  fail(draft, rule, detail)
  draft.isUnreadable = true
}

/** A tag of a media playlist: its position, the version it requires, its parser. */
export interface Tag {
  readonly position: TagPosition
  readonly needs: number
  /** What a value looks like. */
  readonly form: string
  /** Whether the rest of the text has no meaning if the value cannot be read. */
  readonly isVital: boolean
  /** Returns false if the value is malformed. */
  readonly read: (draft: Draft, value: string | undefined) => boolean
}

export type TagPosition = 'header' | 'segment' | 'anywhere'

type Read = Tag['read']

const numberTag = (keep: (draft: Draft, value: number) => void): Tag => ({
  position: 'header',
  needs: 1,
  form: '<integer>',
  isVital: true,
  read(draft, text) {
    const value = readInteger(text)
    if (value !== undefined) keep(draft, value)
    return value !== undefined
  },
})
const flag = (position: TagPosition, needs: number, mark: (draft: Draft) => void): Tag => ({
  position,
  needs,
  form: 'no value',
  isVital: false,
  read(draft, value) {
    mark(draft)
    return value === undefined
  },
})
const plain = (position: TagPosition, form: string, read: Read, needs = 1): Tag => ({
  position,
  needs,
  form,
  isVital: false,
  read,
})

/** A tag with an attribute list, of which some attributes are required. */
function list(
  position: TagPosition,
  name: string,
  required: readonly string[],
  keep: (draft: Draft, attributes: Attributes) => boolean = () => true,
  needs = 1,
): Tag {
  return plain(
    position,
    '<attribute list>',
    (draft, value = '') => {
      const attributes = readAttributes(value)
      if (attributes === undefined) return false
      const missing = required.find((attribute) => !attributes.has(attribute))
      if (missing === undefined) return keep(draft, attributes)
      fail(draft, 'attribute-missing', `#${name}:${value} has no ${missing}`)
      return true
    },
    needs,
  )
}

/**
 * The tags whose values are checked; others are ignored, as players do. The versions are those of RFC 8216 §7 and
 * rfc8216bis §8; players ignore unknown tags, so some tags were added without a new version.
 */
export const tags: ReadonlyMap<string, Tag> = new Map([
  ['EXT-X-VERSION', numberTag((draft, value) => (draft.version = value))],
  ['EXT-X-TARGETDURATION', numberTag((draft, value) => (draft.target = value))],
  ['EXT-X-MEDIA-SEQUENCE', numberTag((draft, value) => (draft.mediaSequence = value))],
  ['EXT-X-DISCONTINUITY-SEQUENCE', numberTag((draft, value) => (draft.discontinuitySequence = value))],
  ['EXT-X-INDEPENDENT-SEGMENTS', flag('header', 1, () => {})],
  ['EXT-X-I-FRAMES-ONLY', flag('header', 4, (draft) => (draft.isIFramesOnly = true))],
  ['EXT-X-PLAYLIST-TYPE', plain('header', 'EVENT or VOD', readType)],
  ['EXT-X-START', list('header', 'EXT-X-START', ['TIME-OFFSET'])],
  ['EXT-X-PART-INF', list('header', 'EXT-X-PART-INF', ['PART-TARGET'], readPartTarget)],
  ['EXT-X-SERVER-CONTROL', list('header', 'EXT-X-SERVER-CONTROL', [], readControl)],
  [
    'EXT-X-SKIP',
    {
      ...list('header', 'EXT-X-SKIP', ['SKIPPED-SEGMENTS'], readSkip, 9),
      form: 'SKIPPED-SEGMENTS=<1 or more>',
      isVital: true,
    },
  ],
  ['EXT-X-DATERANGE', plain('anywhere', '<attribute list>', readRange)],
  ['EXT-X-ENDLIST', flag('anywhere', 1, (draft) => (draft.isEnded = true))],
  ['EXTINF', { ...plain('segment', '<seconds>,[<title>]', readDuration), isVital: true }],
  ['EXT-X-BYTERANGE', plain('segment', '<length>[@<offset>]', readByteRange, 4)],
  ['EXT-X-DISCONTINUITY', flag('segment', 1, markDiscontinuity)],
  ['EXT-X-PROGRAM-DATE-TIME', plain('segment', '<ISO 8601 date and time>', readDateTime)],
  ['EXT-X-GAP', flag('segment', 1, () => {})],
  ['EXT-X-BITRATE', plain('segment', '<integer>', (_, value) => readInteger(value) !== undefined)],
  ['EXT-X-KEY', list('segment', 'EXT-X-KEY', ['METHOD'], readKey)],
  ['EXT-X-MAP', { ...list('segment', 'EXT-X-MAP', ['URI'], readMap), form: 'URI="<address>"' }],
  ['EXT-X-PART', list('segment', 'EXT-X-PART', ['URI', 'DURATION'], readPart)],
  ['EXT-X-PRELOAD-HINT', list('anywhere', 'EXT-X-PRELOAD-HINT', ['TYPE', 'URI'])],
  ['EXT-X-RENDITION-REPORT', list('anywhere', 'EXT-X-RENDITION-REPORT', ['URI'])],
])

const cueTags: ReadonlyMap<string, Tag> = new Map([
  ['EXT-X-CUE-OUT', plain('segment', 'DURATION=<seconds>', readCueOut)],
  ['EXT-X-CUE-OUT-CONT', plain('segment', 'ElapsedTime=<seconds>,Duration=<seconds>', readCueCont)],
  [
    'EXT-X-CUE-IN',
    plain('segment', 'no value', (draft, value) => value === undefined && addCue(draft, { kind: 'IN' })),
  ],
])

const ours = [
  'EXT-X-VERSION',
  'EXT-X-TARGETDURATION',
  'EXT-X-MEDIA-SEQUENCE',
  'EXT-X-DISCONTINUITY-SEQUENCE',
  'EXT-X-INDEPENDENT-SEGMENTS',
  'EXT-X-PLAYLIST-TYPE',
  'EXT-X-SERVER-CONTROL',
  'EXT-X-SKIP',
  'EXT-X-DATERANGE',
  'EXT-X-ENDLIST',
  'EXTINF',
  'EXT-X-DISCONTINUITY',
  'EXT-X-PROGRAM-DATE-TIME',
]

/** The tags that our channels may use. Cue tags have no specification: each packager writes others. */
export const houseTags: ReadonlyMap<string, Tag> = new Map([
  ...ours.map((name) => [name, tags.get(name)!] as const),
  ...cueTags,
])

function readType(draft: Draft, value: string | undefined): boolean {
  if (value !== 'EVENT' && value !== 'VOD') return false
  draft.type = value
  return true
}

function readPartTarget({ parts }: Draft, attributes: Attributes): boolean {
  parts.targetMs = readSecondsMs(attributes.get('PART-TARGET'))
  return parts.targetMs !== undefined
}

function readControl(draft: Draft, attributes: Attributes): boolean {
  const read = (name: string) => readSecondsMs(attributes.get(name))
  const [canSkipUntilMs, holdBackMs, partHoldBackMs] = [
    read('CAN-SKIP-UNTIL'),
    read('HOLD-BACK'),
    read('PART-HOLD-BACK'),
  ]
  draft.control = { canSkipUntilMs, holdBackMs, partHoldBackMs }
  return ['CAN-SKIP-UNTIL', 'HOLD-BACK', 'PART-HOLD-BACK'].every(
    (name) => attributes.has(name) === (read(name) !== undefined),
  )
}

function readSkip(draft: Draft, attributes: Attributes): boolean {
  const segments = readInteger(attributes.get('SKIPPED-SEGMENTS'))
  const removed = attributes.get('RECENTLY-REMOVED-DATERANGES')
  if (removed !== undefined) draft.neededVersion = 10
  if (segments === undefined) return false
  draft.skip = { segments, removedRanges: readQuoted(removed)?.split('\t') }
  return segments > 0 && (removed === undefined || removed.startsWith('"'))
}

function readRange(draft: Draft, value: string | undefined): boolean {
  draft.ranges.push(value ?? '')
  // It belongs to the playlist, and must be read in every text.
  if (draft.blockFrom !== undefined) draft.pending.reachesFurther = true
  return value !== undefined
}

function readDuration(draft: Draft, value = ''): boolean {
  const { pending, isHouse } = draft
  const comma = value.indexOf(',')
  const text = comma === -1 ? value : value.slice(0, comma)
  if (pending.durationMs !== undefined)
    fail(draft, 'uri-missing', 'EXTINF follows EXTINF without a URI between them')
  if (text.includes('.')) pending.neededVersion = Math.max(pending.neededVersion, 3)
  pending.durationMs = readSecondsMs(text)
  if (comma === -1 && pending.durationMs !== undefined) {
    fail(draft, 'malformed-value', `#EXTINF:${value} has no comma after the duration`)
  }
  return pending.durationMs !== undefined && (!isHouse || pending.durationMs > 0)
}

function readByteRange({ pending }: Draft, value = ''): boolean {
  pending.byteRange = value
  // Where it begins depends on the segment before it.
  if (!value.includes('@')) pending.reachesFurther = true
  return /^\d+(?:@\d+)?$/.test(value)
}

function markDiscontinuity(draft: Draft): void {
  if (draft.isHouse && draft.pending.isTagged) {
    fail(draft, 'duplicate-tag', 'EXT-X-DISCONTINUITY appears twice before one segment')
  }
  draft.pending.isTagged = true
}

function readDateTime(draft: Draft, value = ''): boolean {
  if (draft.isHouse && draft.pending.pdtMs !== undefined) {
    fail(draft, 'duplicate-tag', 'EXT-X-PROGRAM-DATE-TIME appears twice before one segment')
  }
  draft.pending.pdtMs = readDateMs(value)
  return draft.pending.pdtMs !== undefined && (!draft.isHouse || hasZone(value))
}

/** RFC 8216 §4.3.2.4: it applies until the next one with the same KEYFORMAT, and METHOD=NONE ends all. */
function readKey(draft: Draft, attributes: Attributes): boolean {
  const { pending } = draft
  const method = attributes.get('METHOD')
  const text = [...attributes].map(([name, value]) => `${name}=${value}`).join()
  pending.reachesFurther = true
  if (attributes.has('IV')) pending.neededVersion = Math.max(pending.neededVersion, 2)
  if (attributes.has('KEYFORMAT') || attributes.has('KEYFORMATVERSIONS')) {
    pending.neededVersion = Math.max(pending.neededVersion, 5)
  }
  if (method === 'NONE') draft.keys = NO_KEYS
  else draft.keys = new Map(draft.keys).set(attributes.get('KEYFORMAT') ?? '"identity"', text)
  draft.key = draft.keys.size === 0 ? undefined : [...draft.keys.values()].join(' and ')
  if (method !== 'NONE' && !attributes.has('URI')) {
    fail(draft, 'attribute-missing', `#EXT-X-KEY:${text} has no URI; only METHOD=NONE has none`)
  }
  const iv = attributes.get('IV')
  return iv === undefined || /^0[xX][0-9A-Fa-f]{1,32}$/.test(iv)
}

function readMap(draft: Draft, attributes: Attributes): boolean {
  const { pending } = draft
  const range = attributes.get('BYTERANGE')
  pending.reachesFurther = true
  pending.neededVersion = Math.max(pending.neededVersion, draft.isIFramesOnly ? 5 : 6)
  draft.map = `${attributes.get('URI')}${range === undefined ? '' : ` ${range}`}`
  return readQuoted(attributes.get('URI')) !== undefined && (range === undefined || /^"\d+@\d+"$/.test(range))
}

function readPart(draft: Draft, attributes: Attributes): boolean {
  const durationMs = readSecondsMs(attributes.get('DURATION'))
  draft.pending.reachesFurther = true
  draft.parts.hasAny = true
  draft.parts.longestMs = Math.max(draft.parts.longestMs, durationMs ?? 0)
  return durationMs !== undefined
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
  if (pending.cues.some(({ kind }) => kind === cue.kind)) {
    fail(draft, 'duplicate-tag', `CUE-${cue.kind} appears twice before one segment`)
  }
  pending.cues = [...pending.cues, cue]
  return true
}
