/** Local time in a zone. A local time is written in milliseconds as if it were UTC. */
export interface Zone {
  localOf(ms: number): number
  /**
   * The first moment at which clocks show a local time; if a clock change skips it, the moment of the change, when
   * clocks show the first local time after it.
   */
  momentOf(localMs: number): number
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Offsets are sampled so often; no zone has changed its clocks twice within this time. */
const SAMPLE_MS = 12 * HOUR_MS

/** A time with one offset, up to the start of the next. */
interface Stretch {
  readonly startMs: number
  readonly offsetMs: number
}

/** A zone whose clock changes are known in a range of time and three days before and after. */
export function createZone(timeZone: string, fromMs: number, toMs: number): Zone {
  const offsetOf = createOffset(timeZone)
  const knownMs = fromMs - 3 * DAY_MS
  const stretches = findStretches(offsetOf, knownMs, toMs + 3 * DAY_MS)
  return {
    localOf: (ms) =>
      // When a video last aired may be long ago.
      ms + (ms < knownMs ? offsetOf(ms) : stretches.findLast(({ startMs }) => startMs <= ms)!.offsetMs),
    momentOf: (localMs) => {
      for (const [at, { startMs, offsetMs }] of stretches.entries()) {
        const ms = Math.max(startMs, localMs - offsetMs)
        if (ms < (stretches[at + 1]?.startMs ?? Infinity)) return ms
      }
      throw new Error('unreachable: the last stretch has no end')
    },
  }
}

/** The first moment from `ms` on whose local time is a multiple of `gridMs`. */
export function alignLocal(zone: Zone, ms: number, gridMs: number): number {
  const localMs = zone.localOf(ms)
  const waitMs = (gridMs - (localMs % gridMs)) % gridMs
  const thenMs = ms + waitMs
  if (zone.localOf(thenMs) === localMs + waitMs) return thenMs
  const offsetOf = (atMs: number) => zone.localOf(atMs) - atMs
  return alignLocal(zone, findChange(ms, thenMs, offsetOf), gridMs)
}

/** `2026-11-14` of a local time. */
export const printDate = (localMs: number): string => new Date(localMs).toISOString().slice(0, 10)

/** `20:00` of a local time. */
export const printTime = (localMs: number): string => new Date(localMs).toISOString().slice(11, 16)

/** Beginning of a local day. */
export const dayOf = (localMs: number): number => Math.floor(localMs / DAY_MS) * DAY_MS

function findStretches(offsetOf: (ms: number) => number, fromMs: number, toMs: number): readonly Stretch[] {
  const firstMs = Math.floor(fromMs / SAMPLE_MS) * SAMPLE_MS
  const stretches: Stretch[] = [{ startMs: -Infinity, offsetMs: offsetOf(firstMs) }]
  for (let ms = firstMs; ms < toMs; ms += SAMPLE_MS) {
    const offsetMs = offsetOf(ms + SAMPLE_MS)
    if (offsetMs === stretches.at(-1)!.offsetMs) continue
    stretches.push({ startMs: findChange(ms, ms + SAMPLE_MS, offsetOf), offsetMs })
  }
  return stretches
}

/** The first moment after `fromMs` that has the offset of `toMs`. Clocks change on whole seconds. */
function findChange(fromMs: number, toMs: number, offsetOf: (ms: number) => number): number {
  const offsetMs = offsetOf(toMs)
  let [before, after] = [Math.floor(fromMs / 1_000), Math.ceil(toMs / 1_000)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetOf(middle * 1_000) === offsetMs) after = middle
    else before = middle
  }
  return after * 1_000
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The offset of local time from UTC at a moment, in milliseconds. */
function createOffset(timeZone: string): (ms: number) => number {
  const format = formats.get(timeZone) ?? createFormat(timeZone)
  formats.set(timeZone, format)
  return (ms) => {
    const parts = format.formatToParts(ms)
    const [year, month, day, hour, minute, second] = fields.map((type) =>
      Number(parts.find((part) => part.type === type)!.value),
    ) as [number, number, number, number, number, number]
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000
  }
}

const fields = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
}
