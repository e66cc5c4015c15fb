import { createZone, DAY_MS, dayOf, printDate, printTime } from '@continuity/core/rules/zone-time'

/** Times as they are shown in one zone. */
export interface ZoneClock {
  /** An IANA name, or UTC. */
  readonly name: string
  /** 18:00, or 18:00:05 where the seconds are not 0. */
  readonly time: (ms: number) => string
  /** 18:00, where there is no room for seconds. */
  readonly minute: (ms: number) => string
  /** Tue 17 Nov */
  readonly date: (ms: number) => string
  /** Tue 17 Nov, 18:00 UTC */
  readonly moment: (ms: number) => string
  /** 18:00 to 19:00 UTC; an end on another day has its date. */
  readonly span: (startMs: number, endMs: number | null) => string
  /** When the local day begins that is so many days after that of a time. */
  readonly dayStart: (ms: number, days?: number) => number
  /** 2026-11-17T20:00:00 in the zone, as fields have it; undefined for what is unfinished. */
  readonly toInput: (ms: number) => string
  readonly fromInput: (value: string) => number | undefined
}

/** A console shows some days around now, and dialogs some weeks. */
const AROUND_MS = 120 * DAY_MS

export function createZoneClock(name: string, nowMs: number): ZoneClock {
  const zone = createZone(name, nowMs - AROUND_MS, nowMs + AROUND_MS)
  const days = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
  const time = (ms: number) => {
    // Aired times have milliseconds, which no one reads.
    const localMs = Math.round(zone.localOf(ms) / 1_000) * 1_000
    const seconds = (localMs / 1_000) % 60
    return seconds === 0 ? printTime(localMs) : `${printTime(localMs)}:${String(seconds).padStart(2, '0')}`
  }
  const date = (ms: number) => days.format(zone.localOf(ms)).replace(',', '')
  return {
    name,
    time,
    minute: (ms) => printTime(zone.localOf(ms)),
    date,
    moment: (ms) => `${date(ms)}, ${time(ms)} ${name}`,
    span: (startMs, endMs) => {
      if (endMs === null) return `${time(startMs)} ${name}, without an end`
      const isSameDay = date(startMs) === date(endMs - 1)
      return `${time(startMs)} to ${isSameDay ? '' : `${date(endMs)}, `}${time(endMs)} ${name}`
    },
    dayStart: (ms, days = 0) => zone.momentOf(dayOf(zone.localOf(ms)) + days * DAY_MS),
    toInput: (ms) => {
      const localMs = Math.round(zone.localOf(ms) / 1_000) * 1_000
      return `${printDate(localMs)}T${new Date(localMs).toISOString().slice(11, 19)}`
    },
    fromInput: (value) => {
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value)) return undefined
      const localMs = Date.parse(`${value}Z`)
      return Number.isNaN(localMs) ? undefined : zone.momentOf(localMs)
    },
  }
}

/** UTC has no clock changes, so that any time is in its range. */
export const utcClock = createZoneClock('UTC', 0)
