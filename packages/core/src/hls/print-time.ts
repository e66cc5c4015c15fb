import { TICKS_PER_MS, TICKS_PER_SECOND } from '../media/house-format.ts'
import { msOf } from '../time/ticks.ts'

/** For EXTINF. Six decimals: a frame of 1/30 s rounded to fewer adds up to an error over a day. */
export const printDuration = (ticks: number): string => (ticks / TICKS_PER_SECOND).toFixed(6)

/** For ad markers on every segment of a break: `toFixed` takes twice as long. */
export function printSeconds(ticks: number): string {
  const ms = Math.round(ticks / TICKS_PER_MS)
  return `${Math.floor(ms / 1_000)}.${printThousandths(ms % 1_000)}`
}

/** As `toISOString` prints it, in an eighth of the time: most printed dates are on the same day. */
export function printDate(ticks: number): string {
  const ms = msOf(ticks)
  const day = Math.floor(ms / MS_PER_DAY)
  if (day !== lastDay.day)
    lastDay = { day, text: new Date(ms).toISOString().slice(0, -'hh:mm:ss.mmmZ'.length) }
  const inDay = ms - day * MS_PER_DAY
  const hours = padded[Math.floor(inDay / 3_600_000)]!
  const minutes = padded[Math.floor(inDay / 60_000) % 60]!
  const seconds = padded[Math.floor(inDay / 1_000) % 60]!
  // Separate: V8 copies strings as short as this at once, and builds longer ones when they are read.
  const time = `${hours}:${minutes}:${seconds}.${printThousandths(inDay % 1_000)}`
  return `${lastDay.text}${time}Z`
}

const printThousandths = (count: number): string =>
  count < 10 ? `00${count}` : count < 100 ? `0${count}` : `${count}`

const MS_PER_DAY = 86_400_000
const padded = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
let lastDay = { day: Number.NaN, text: '' }
