const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/
const RELATIVE = /^now(?:([+-]\d{1,6})([smhdwMy]))?(?:\/([smhdwMy]))?$/

/** Units of constant length. */
const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** ISO 8601: a week begins on Monday; 1 January 1970 was a Thursday. */
const FIRST_MONDAY_MS = -3 * unitsMs.d

/**
 * The time of a text, in milliseconds: an ISO 8601 time in UTC, or one relative to now such as `now`, `now-30d`
 * or `now-1M/d`, which goes back a month and then to the beginning of that day. Undefined for anything else,
 * and for a time outside of the range of Date.
 */
export function readDate(text: string, nowMs: number): number | undefined {
  const timeMs = TIMESTAMP.test(text) ? readTimestamp(text) : readRelative(text, nowMs)
  return Number.isFinite(timeMs) ? timeMs : undefined
}

/** The parser reads 30 February as 2 March; printing the result detects this. */
function readTimestamp(text: string): number {
  const read = new Date(text)
  return Number.isFinite(read.getTime()) && read.toISOString().startsWith(text.slice(0, 10))
    ? read.getTime()
    : NaN
}

function readRelative(text: string, nowMs: number): number {
  const read = RELATIVE.exec(text)
  if (read === null) return NaN
  const [, amount = '0', unit = 's', rounding] = read
  const movedMs = move(nowMs, Number(amount), unit)
  return rounding === undefined ? movedMs : roundDown(movedMs, rounding)
}

function move(timeMs: number, amount: number, unit: string): number {
  if (unit === 'M') return moveMonths(timeMs, amount)
  if (unit === 'y') return moveMonths(timeMs, 12 * amount)
  return clip(timeMs + amount * lengthOf(unit))
}

/** The same day of another month, or that month's last day if it is shorter. */
function moveMonths(timeMs: number, months: number): number {
  const date = new Date(timeMs)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  // A day too many overflows into the next month, whose day 0 is the last of the intended one.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

function roundDown(timeMs: number, unit: string): number {
  if (unit === 'M') return new Date(roundDown(timeMs, 'd')).setUTCDate(1)
  if (unit === 'y') return new Date(roundDown(timeMs, 'd')).setUTCMonth(0, 1)
  const fromMs = unit === 'w' ? FIRST_MONDAY_MS : 0
  const lengthMs = lengthOf(unit)
  return clip(Math.floor((timeMs - fromMs) / lengthMs) * lengthMs + fromMs)
}

const lengthOf = (unit: string) => unitsMs[unit as keyof typeof unitsMs]

/** NaN for a time outside of the range of Date. */
const clip = (timeMs: number) => new Date(timeMs).getTime()
