import type { Severity } from './severity.ts'

/** From and to are times of day, `HH:MM`; over midnight if `to` is earlier. */
export interface QuietHours {
  readonly severities: readonly Severity[]
  readonly from: string
  readonly to: string
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** A free minute may be in the hour that a clock change skips, and so a day later. */
const LONGEST_MS = 3 * DAY_MINUTES * MINUTE_MS

/**
 * The first moment from `atMs` on that is not in the quiet hours of a severity: `atMs` itself outside of them.
 *
 * Quiet hours follow local time. An hour that a clock change skips is not quiet, and one that occurs twice is
 * quiet twice.
 */
export function quietEndMs(
  quietHours: readonly QuietHours[],
  timeZone: string,
  severity: Severity,
  atMs: number,
): number {
  const hours = quietHours.find((each) => each.severities.includes(severity))
  if (hours === undefined) return atMs
  const [from, to] = [minuteOf(hours.from), minuteOf(hours.to)]
  const isQuiet = (minute: number) =>
    from <= to ? minute >= from && minute < to : minute >= from || minute < to
  const minuteAt = clockIn(timeZone)
  let ms = atMs
  let minute = minuteAt(ms)
  while (isQuiet(minute) && ms - atMs < LONGEST_MS) {
    const wholeMs = ms - (ms % MINUTE_MS)
    const left = (to - minute + DAY_MINUTES) % DAY_MINUTES
    const endMs = wholeMs + left * MINUTE_MS
    // With a clock change in between, the end is elsewhere, and is searched minute by minute.
    ms = minuteAt(endMs) === to ? endMs : wholeMs + MINUTE_MS
    minute = minuteAt(ms)
  }
  return ms
}

export type QuietHoursFault = 'empty' | 'severity_twice'

/** The fault of quiet hours; undefined if they are valid. */
export function findQuietHoursFault(quietHours: readonly QuietHours[]): QuietHoursFault | undefined {
  if (quietHours.some(({ from, to }) => from === to)) return 'empty'
  const named = quietHours.flatMap((each) => each.severities)
  return new Set(named).size === named.length ? undefined : 'severity_twice'
}

/** IANA names only: an offset such as +01:00 has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  try {
    formatIn(name)
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))

/** Returns the local minute of the day in a time zone. */
function clockIn(timeZone: string): (ms: number) => number {
  const format = formatIn(timeZone)
  return (ms) => minuteOf(format.format(ms))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('en-GB', options)
  formats.set(timeZone, format)
  return format
}
