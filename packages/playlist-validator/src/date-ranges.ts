import { type Attributes, readAttributes, readDateMs, readQuoted, readSecondsMs } from './attributes.ts'
import { endOf, isNear, JOIN_MS, type Segment, seconds } from './playlist.ts'
import type { Report } from './rules.ts'

/** The merged attributes of all tags with one ID. */
export interface DateRange {
  readonly id: string
  readonly startMs: number
  readonly durationMs: number | undefined
  readonly plannedMs: number | undefined
  readonly attributes: Attributes
}

export type Ranges = ReadonlyMap<string, DateRange>

/** Undefined as long as nothing gives an end. */
function knownEnd({ startMs, durationMs, attributes }: DateRange): number | undefined {
  const endMs = readDateMs(readQuoted(attributes.get('END-DATE')))
  return endMs ?? (durationMs === undefined ? undefined : startMs + durationMs)
}

/** Infinite if no end or duration is given, planned ones included. */
export const endOfRange = (range: DateRange): number =>
  knownEnd(range) ?? range.startMs + (range.plannedMs ?? Number.POSITIVE_INFINITY)

export const isBreak = ({ attributes }: DateRange): boolean => attributes.has('SCTE35-OUT')
export const isBack = ({ attributes }: DateRange): boolean => attributes.has('SCTE35-IN')

/**
 * Reads the date ranges of a playlist.
 *
 * Several tags may share an ID, as in the example of RFC 8216 §8.10: their attributes are merged and must not contradict.
 */
export function readRanges(lines: readonly string[], report: Report): Ranges {
  const byId = new Map<string, Map<string, string>>()
  for (const line of lines) {
    const attributes = readAttributes(line)
    const id = readQuoted(attributes?.get('ID'))
    if (attributes === undefined) {
      report('malformed-value', `#EXT-X-DATERANGE:${line} should have <attribute list>`)
    } else if (id === undefined) report('daterange-incomplete', `no ID in #EXT-X-DATERANGE:${line}`)
    else byId.set(id, join(byId.get(id), id, attributes, report))
  }
  const ranges = new Map<string, DateRange>()
  for (const [id, attributes] of byId) {
    const range = toRange(id, attributes, report)
    if (range !== undefined) ranges.set(id, range)
  }
  return ranges
}

function join(
  known: Map<string, string> | undefined,
  id: string,
  more: Attributes,
  report: Report,
): Map<string, string> {
  const all = known ?? new Map<string, string>()
  for (const [name, value] of more) {
    const before = all.get(name)
    if (before === undefined) all.set(name, value)
    else if (before !== value) {
      report('daterange-changed', `${name} of ${id} is both ${before} and ${value} in one playlist`)
    }
  }
  return all
}

function toRange(id: string, attributes: Attributes, report: Report): DateRange | undefined {
  const start = attributes.get('START-DATE')
  const startMs = readDateMs(readQuoted(start))
  const durationMs = readSecondsMs(attributes.get('DURATION'))
  const plannedMs = readSecondsMs(attributes.get('PLANNED-DURATION'))
  if (startMs !== undefined) {
    const isRead = (name: string, value: number | undefined) => attributes.has(name) === (value !== undefined)
    if (isRead('DURATION', durationMs) && isRead('PLANNED-DURATION', plannedMs)) {
      return { id, startMs, durationMs, plannedMs, attributes }
    }
  }
  if (start === undefined) report('daterange-incomplete', `${id} has no START-DATE`)
  else report('malformed-value', `the date range ${id} has a date or duration that cannot be read`)
  return undefined
}

/** Checks what one range says of its end, and its SCTE 35 sections. */
export function checkRange(range: DateRange, report: Report): void {
  const { id, startMs, durationMs, attributes } = range
  const end = attributes.get('END-DATE')
  const endMs = readDateMs(readQuoted(end))
  if (end !== undefined && endMs === undefined)
    report('malformed-value', `END-DATE=${end} of ${id} is no date`)
  if (endMs !== undefined && endMs < startMs) {
    report('daterange-end', `${id} has an END-DATE ${seconds(startMs - endMs)} before its START-DATE`)
  } else if (endMs !== undefined && durationMs !== undefined && !isNear(endMs - startMs, durationMs)) {
    report(
      'daterange-end',
      `${id} lasts ${seconds(endMs - startMs)} by END-DATE, ${seconds(durationMs)} by DURATION`,
    )
  }
  if (
    attributes.has('END-ON-NEXT') &&
    (!attributes.has('CLASS') || end !== undefined || durationMs !== undefined)
  ) {
    report('daterange-end', `${id} has END-ON-NEXT, which needs CLASS and excludes DURATION and END-DATE`)
  }
  for (const [name, value] of attributes) {
    if (name.startsWith('SCTE35-') && !isScte35(value)) {
      report(
        'scte35-undecodable',
        `${name} of ${id} is no complete splice_info_section: ${value.slice(0, 40)}`,
      )
    }
  }
}

/** The IDs used so far, with the start time and the session that used them. */
export interface UsedIds {
  readonly session: number
  readonly byId: Map<string, { readonly startMs: number; readonly session: number }>
}

/** Enough for a break every five minutes over a month. */
const MAX_IDS = 10_000

export function checkId({ id, startMs }: DateRange, { session, byId }: UsedIds, report: Report): void {
  const known = byId.get(id)
  if (known !== undefined && (known.startMs !== startMs || known.session !== session)) {
    report('daterange-id-reused', `${id} was the ID of another date range, at ${dateOf(known.startMs)}`)
  }
  if (known === undefined && byId.size >= MAX_IDS) byId.delete(byId.keys().next().value ?? '')
  byId.set(id, { startMs, session })
}

const dateOf = (ms: number): string => new Date(ms).toISOString()

/** Checks the ranges of the previous playlist that changed or were removed. */
export function checkKept(
  now: Ranges,
  before: Ranges,
  window: readonly Segment[],
  isHouse: boolean,
  report: Report,
): void {
  for (const old of before.values()) {
    const range = now.get(old.id)
    if (range === undefined) checkRemoved(old, window, isHouse, report)
    else checkSame(range, old, report)
  }
}

/** Of a range without an end only its start is known to be inside a segment; our own channels promise more. */
function checkRemoved(range: DateRange, window: readonly Segment[], isHouse: boolean, report: Report): void {
  const [first, last] = [window[0], window.at(-1)]
  if (first === undefined || last === undefined) return
  const { id, startMs } = range
  const endMs = isHouse ? endOfRange(range) : (knownEnd(range) ?? startMs + 2 * JOIN_MS)
  if (startMs < endOf(last) - JOIN_MS && endMs > first.startMs + JOIN_MS) {
    report('daterange-removed', `${id} of ${dateOf(startMs)} is gone, its segments are still listed`)
  }
}

function checkSame(range: DateRange, old: DateRange, report: Report): void {
  for (const [name, value] of old.attributes) {
    const now = range.attributes.get(name)
    if (now !== value) {
      const change = now === undefined ? `lost its ${name}=${value}` : `has ${name}=${now}, was ${value}`
      report('daterange-changed', `${range.id} ${change}`)
    }
  }
}

/** Whether breaks are announced in time; `listed` is the last segment of the previous playlist. */
export function checkNotice(now: Ranges, before: Ranges, listed: Segment | undefined, report: Report): void {
  if (listed === undefined) return
  for (const range of now.values()) {
    const old = before.get(range.id)
    const lateMs = endOf(listed) - range.startMs
    if (isBreak(range) && (old === undefined || !isBreak(old)) && lateMs >= -JOIN_MS) {
      const since = `the last segment before its start, ${dateOf(range.startMs)}, was listed`
      report('daterange-out-late', `${range.id} is announced after ${since}`)
    }
  }
}

const TABLE_ID = 0xfc
const POLYNOMIAL = 0x04c11db7

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? POLYNOMIAL : 0)
  return value
})

/** Whether an attribute is the hexadecimal form of a complete splice_info_section (SCTE 35 §9.6). */
function isScte35(value: string): boolean {
  if (!/^0[xX](?:[0-9A-Fa-f]{2})+$/.test(value)) return false
  const bytes = Buffer.from(value.slice(2), 'hex')
  if (bytes.length < 15 || bytes[0] !== TABLE_ID) return false
  return (bytes.readUInt16BE(1) & 0xfff) === bytes.length - 3 && crcOf(bytes) === 0
}

/** CRC-32/MPEG-2: zero over a section that includes its own CRC. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc << 8) ^ table[((crc >>> 24) ^ byte) & 0xff]!
  return crc >>> 0
}
