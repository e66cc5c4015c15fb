const HALF_HOUR_MS = 1_800_000
/** By zone, then by half-hour. */
const offsets = new Map<string, Map<number, number>>()

/** What a clock in a zone shows, read from Intl alone: apart from the planner's own computation. */
export interface LocalTime {
  readonly date: string
  readonly weekday: string
  /** Of the day. */
  readonly minute: number
  readonly ms: number
}

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const formats = new Map<string, Intl.DateTimeFormat>()

export function localTimeOf(zone: string, ms: number): LocalTime {
  const local = new Date(ms + offsetOf(zone, ms))
  return {
    date: local.toISOString().slice(0, 10),
    weekday: weekdays[local.getUTCDay()]!,
    minute: local.getUTCHours() * 60 + local.getUTCMinutes(),
    ms: local.getTime(),
  }
}

/** Whether clocks change within some hours, where a local time may be skipped or be there twice. */
export function isNearChange(zone: string, ms: number): boolean {
  const offsetMs = offsetOf(zone, ms)
  return offsetOf(zone, ms - 26 * 3_600_000) !== offsetMs || offsetOf(zone, ms + 26 * 3_600_000) !== offsetMs
}

/** Clocks change on the half-hours of UTC, in all zones of today. */
function offsetOf(zone: string, ms: number): number {
  const slotMs = Math.floor(ms / HALF_HOUR_MS) * HALF_HOUR_MS
  const slots = offsets.get(zone) ?? new Map<number, number>()
  offsets.set(zone, slots)
  const known = slots.get(slotMs)
  if (known !== undefined) return known
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(zone, format)
  const offset = Date.parse(`${format.format(slotMs).replace(' ', 'T')}Z`) - slotMs
  slots.set(slotMs, offset)
  return offset
}
