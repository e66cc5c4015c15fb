import type { ColumnKind, Value } from './report-list.ts'

const amounts = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const counts = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })
const date = { weekday: 'short', day: 'numeric', month: 'short' } as const
const days = utc({ ...date, year: 'numeric' })
const moments = utc({ ...date, hour: '2-digit', minute: '2-digit' })
const times = utc({ ...date, hour: '2-digit', minute: '2-digit', second: '2-digit' })

const types: Readonly<Record<string, string>> = {
  VIDEO: 'Video',
  AD_POD: 'Ad break',
  INTERSTITIAL: 'Interstitial',
  TIME_FILL: 'Time fill',
  LIVE: 'Live source',
  SLATE: 'Slate',
}

export const amountText = (value: number): string => amounts.format(value)
export const countText = (value: number): string => counts.format(value)
export const dayText = (ms: number): string => days.format(ms)
export const momentText = (ms: number): string => moments.format(ms)

/** Seconds as 0:45, 12:05 or 1:02:03. */
export function lengthText(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3_600)
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest.replace(/^0(\d)/, '$1')
}

/** A value of a report for a person; a dash where there is none. */
export function valueText(kind: ColumnKind, value: Value | undefined): string {
  if (value === null || value === undefined || value === '') return '–'
  switch (kind) {
    case 'moment':
      return momentText(Date.parse(String(value)))
    case 'day':
      return dayText(Date.parse(String(value)))
    case 'time':
      return times.format(Date.parse(String(value)))
    case 'length':
      return lengthText(Number(value))
    case 'amount':
      return amountText(Number(value))
    case 'count':
      return countText(Number(value))
    case 'type':
      return types[value] ?? String(value)
    case 'country':
      return countryText(String(value))
    default:
      return String(value)
  }
}

export const countryText = (code: string): string =>
  code === 'ZZ' ? 'Unknown' : (countries.of(code) ?? code)

export const isNumeric = (kind: ColumnKind): boolean =>
  kind === 'length' || kind === 'amount' || kind === 'count'
