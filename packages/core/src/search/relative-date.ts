const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/
const RELATIVE = /^now(?:([+-]\d{1,6})([smhdwMy]))?(?:\/([smhdwMy]))?$/

/** Units that last equally long always. */
const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** ISO 8601: a week begins on Monday, and the day that times are counted from was a Thursday. */
const FIRST_MONDAY_MS = -3 * unitsMs.d

/**
 * The time that a text names, in milliseconds: an ISO 8601 time in UTC, or one
 * relative to now such as `now`, `now-30d` or `now-1M/d`, which goes back a
 * month and then to the beginning of that day. Undefined for anything else, and
 * for a time that no date can hold.
 */
export function readDate(text: string, nowMs: number): number | undefined {
  const timeMs = TIMESTAMP.test(text) ? readTimestamp(text) : readRelative(text, nowMs)
  return Number.isFinite(timeMs) ? timeMs : undefined
}

/** The parser takes 30 February for 2 March; its own spelling of what it read tells. */
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

/** The same day of another month, or that month's last where it is shorter. */
function moveMonths(timeMs: number, months: number): number {
  const date = new Date(timeMs)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  // A day too many runs over into the month behind, whose day 0 is the last of the one meant.
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

/** NaN for a time that no date can hold. */
const clip = (timeMs: number) => new Date(timeMs).getTime()
