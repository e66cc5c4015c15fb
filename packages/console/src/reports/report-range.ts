/** Days of a report in UTC, both included. */
export interface ReportRange {
  readonly from: string
  readonly to: string
}

export const DAY_MS = 86_400_000
export const RANGE_DAYS_MAXIMUM = 92
/** Of rows by the minute. */
export const MINUTE_DAYS_MAXIMUM = 8

const USUAL_DAYS = 7

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const startOfDayMs = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)

/** The last days up to today. */
export const lastDays = (days: number, nowMs: number): ReportRange => ({
  from: dayOf(nowMs - (days - 1) * DAY_MS),
  to: dayOf(nowMs),
})

/** What the address states; a week where it states no day. */
export function rangeOf(query: URLSearchParams, nowMs: number): ReportRange {
  const usual = lastDays(USUAL_DAYS, nowMs)
  return { from: query.get('from') ?? usual.from, to: query.get('to') ?? usual.to }
}

export const daysIn = ({ from, to }: ReportRange): number =>
  Math.round((startOfDayMs(to) - startOfDayMs(from)) / DAY_MS) + 1

/** Why a range cannot be shown; the service has the same limits. */
export function reasonAgainstRange(range: ReportRange, isByMinute: boolean): string | undefined {
  const maximum = isByMinute ? MINUTE_DAYS_MAXIMUM : RANGE_DAYS_MAXIMUM
  if (!isDay(range.from) || !isDay(range.to)) return 'Enter the first and the last day.'
  if (range.from > range.to) return 'The first day is after the last.'
  if (daysIn(range) <= maximum) return undefined
  return isByMinute
    ? `At most ${maximum} days with a row for each minute.`
    : `At most ${maximum} days in one report.`
}

function isDay(text: string): boolean {
  const ms = startOfDayMs(text)
  return !Number.isNaN(ms) && dayOf(ms) === text
}
