/** The bit rate of what a source sends, by the segments that are made of it. */
export interface InputRate {
  /** The next segment of the source. */
  add(bytes: number, durationMs: number): void
  /** Over the time of one segment of ours, from 0 on; earlier ones cannot be asked for again. */
  take(number: number): number
}

/** Segments of the source and ours begin together and have different lengths: each counts by how much the two overlap. */
export function createInputRate(slotMs: number): InputRate {
  let parts: { readonly startMs: number; readonly endMs: number; readonly bytes: number }[] = []
  let endMs = 0
  return {
    add(bytes, durationMs) {
      parts.push({ startMs: endMs, endMs: endMs + durationMs, bytes })
      endMs += durationMs
    },
    take(number) {
      const [fromMs, toMs] = [number * slotMs, (number + 1) * slotMs]
      parts = parts.filter((part) => part.endMs > fromMs)
      const bytes = parts.reduce((sum, part) => {
        const overlapMs = Math.min(part.endMs, toMs) - Math.max(part.startMs, fromMs)
        return overlapMs > 0 ? sum + (part.bytes * overlapMs) / (part.endMs - part.startMs) : sum
      }, 0)
      return Math.round((bytes * 8) / slotMs)
    },
  }
}
