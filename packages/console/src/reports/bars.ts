import { DAY_MS, daysIn, MINUTE_DAYS_MAXIMUM, type ReportRange, startOfDayMs } from './report-range.ts'
import { countryText, dayText, momentText, valueText } from './values.ts'

export interface Bar {
  readonly label: string
  /** Where there is no room for a label at each bar. */
  readonly shortLabel: string
  readonly amount: number
}

const HOUR_MS = 3_600_000
const BARS_MAXIMUM = 10

/** More hours than this are too thin to see. */
const HOURLY_DAYS_MAXIMUM = MINUTE_DAYS_MAXIMUM

export const barLength = (rowLength: 'hour' | 'day' | undefined, range: ReportRange): 'hour' | 'day' =>
  rowLength === 'hour' && daysIn(range) <= HOURLY_DAYS_MAXIMUM ? 'hour' : 'day'

/** A bar for every hour or day of the range that has begun, also for those without viewers. */
export function barsByTime(
  sums: ReadonlyMap<number, number>,
  length: 'hour' | 'day',
  range: ReportRange,
  nowMs: number,
): readonly Bar[] {
  const lengthMs = length === 'hour' ? HOUR_MS : DAY_MS
  const startMs = startOfDayMs(range.from)
  const endMs = Math.min(startOfDayMs(range.to) + DAY_MS, nowMs)
  const amounts = new Map<number, number>()
  for (const [atMs, amount] of sums) {
    const barMs = Math.floor(atMs / lengthMs) * lengthMs
    amounts.set(barMs, (amounts.get(barMs) ?? 0) + amount)
  }
  const bars: Bar[] = []
  for (let ms = startMs; ms < endMs; ms += lengthMs) {
    bars.push({
      label: length === 'hour' ? `${momentText(ms)} UTC` : dayText(ms),
      shortLabel: shortLabel(ms, length, daysIn(range)),
      amount: amounts.get(ms) ?? 0,
    })
  }
  return bars
}

/** The largest first; the rest together. */
export function barsByField(field: string, sums: ReadonlyMap<string, number>): readonly Bar[] {
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a)
  const isLong = sorted.length > BARS_MAXIMUM
  const shown = isLong ? sorted.slice(0, BARS_MAXIMUM - 1) : sorted
  const bars = shown.map(([key, amount]) => ({ label: labelOf(field, key), shortLabel: '', amount }))
  if (!isLong) return bars
  const rest = sorted.slice(BARS_MAXIMUM - 1)
  const amount = rest.reduce((sum, [, one]) => sum + one, 0)
  return [...bars, { label: `${rest.length} others`, shortLabel: '', amount }]
}

function labelOf(field: string, key: string): string {
  if (key === '') return 'Without a title'
  if (field === 'country') return countryText(key)
  return field === 'component_type' ? valueText('type', key) : key
}

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** Days of a range by the hour are labelled at midnight; within two days every hour has its time. */
function shortLabel(ms: number, length: 'hour' | 'day', days: number): string {
  if (length === 'day') return day.format(ms)
  if (ms % DAY_MS === 0 && days > 1) return day.format(ms)
  return days > 2 ? '' : clock.format(ms)
}
