/*
 * Times of day in the time zone of a channel's rules.
 */

const DAY_MS = 86_400_000

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export interface LocalTime {
  /** Such as `2026-03-01`. */
  readonly day: string
  /** Such as `Sun`. */
  readonly weekday: string
  /** Such as `20:15`; seconds are left out. */
  readonly time: string
}

/** A function, because it is called for every row of a table, and a formatter is expensive to create. */
export function localTimes(zone: string): (atMs: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
    return {
      day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
      weekday: part('weekday'),
      time: `${part('hour')}:${part('minute')}`,
    }
  }
}

/** The first instant of a local day such as `2026-03-01`; where midnight is skipped, the time after it. */
export function startOfDay(day: string, zone: string): number {
  const local = localTimes(zone)
  const asUtcMs = Date.parse(`${day}T00:00Z`)
  const offsetMs = (atMs: number): number => {
    const { day: localDay, time } = local(atMs)
    return Date.parse(`${localDay}T${time}Z`) - atMs
  }
  // No zone changes its offset twice within two days, so that one of these is in force.
  const candidates = [asUtcMs - DAY_MS, asUtcMs + DAY_MS].map((atMs) => asUtcMs - offsetMs(atMs))
  const inDay = candidates.filter((atMs) => local(atMs).day === day)
  return Math.min(...(inDay.length === 0 ? candidates : inDay))
}

/** The local day after. */
export const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00Z`) + DAY_MS).toISOString().slice(0, 10)

/** Parses an option with a day. */
export function readDay(text: string): { readonly value: string } | { readonly fault: string } {
  const atMs = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN
  // Date.parse accepts February 30 in some engines; printed, it is another day.
  const isDay = !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text)
  return isDay ? { value: text } : { fault: `must be a day such as 2026-03-01, not "${text}".` }
}
