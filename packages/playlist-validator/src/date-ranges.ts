import { type Attributes, readAttributes, readDateMs, readQuoted, readSecondsMs } from './attributes.ts'
import type { Report } from './rules.ts'

/** The merged attributes of all tags with one ID. */
export interface DateRange {
  readonly id: string
  readonly startMs: number
  readonly durationMs: number | undefined
  readonly plannedMs: number | undefined
  readonly attributes: Attributes
}

/** Infinite if no end or duration is given. */
export function endOfRange({ startMs, durationMs, plannedMs, attributes }: DateRange): number {
  const endMs = readDateMs(readQuoted(attributes.get('END-DATE')))
  return endMs ?? startMs + (durationMs ?? plannedMs ?? Number.POSITIVE_INFINITY)
}

export const isBreak = ({ attributes }: DateRange): boolean => attributes.has('SCTE35-OUT')
export const isBack = ({ attributes }: DateRange): boolean => attributes.has('SCTE35-IN')

/**
 * Reads the date ranges of a playlist.
 *
 * Several tags may share an ID, as in the example of HLS §9.10: their attributes are merged and must not contradict.
 */
export function readRanges(lines: readonly string[], report: Report): ReadonlyMap<string, DateRange> {
  const byId = new Map<string, Map<string, string>>()
  for (const line of lines) {
    const attributes = readAttributes(line)
    const id = readQuoted(attributes?.get('ID'))
    if (attributes === undefined) report('malformed-value', line)
    else if (id === undefined) report('daterange-incomplete', `no ID: ${line}`)
    else byId.set(id, join(byId.get(id), attributes, report))
  }
  const ranges = new Map<string, DateRange>()
  for (const [id, attributes] of byId) {
    const range = toRange(id, attributes, report)
    if (range !== undefined) ranges.set(id, range)
  }
  return ranges
}

function join(known: Map<string, string> | undefined, more: Attributes, report: Report): Map<string, string> {
  const all = known ?? new Map<string, string>()
  for (const [name, value] of more) {
    const before = all.get(name)
    if (before === undefined) all.set(name, value)
    else if (before !== value)
      report('daterange-changed', `${name} is both ${before} and ${value} in one playlist`)
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
  else report('malformed-value', `a date or a duration of ${id}`)
  return undefined
}
