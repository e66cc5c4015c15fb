export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const clock = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' })
const shortClock = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
const day = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', day: 'numeric', month: 'short' })

const utcClock = clock('UTC')
const utcShort = shortClock('UTC')
const utcDay = day('UTC')
const localClock = clock(LOCAL_ZONE)
const localDay = day(LOCAL_ZONE)

/** 03:12:45, in UTC as everywhere in the console, unless another zone is shown. */
export const utcTime = (ms: number): string => utcClock.format(ms)
export const utcMinute = (ms: number): string => utcShort.format(ms)
export const utcDate = (ms: number): string => utcDay.format(ms)
export const localDate = (ms: number): string => localDay.format(ms)
export const localTime = (ms: number): string => localClock.format(ms)

/** Today's times without the date, others with it. */
export function utcMoment(ms: number, nowMs: number): string {
  const time = `${utcTime(ms)} UTC`
  return utcDate(ms) === utcDate(nowMs) ? time : `${utcDate(ms)}, ${time}`
}

/** 0:07, 12:45, 1:02:03: what is left until a time. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** A message of the service with its times as the console shows them. */
export const readableTimes = (message: string, nowMs: number): string =>
  message.replaceAll(ISO_TIME, (time) => utcMoment(Date.parse(time), nowMs))
