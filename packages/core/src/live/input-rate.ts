/** The bit rate of a source, per slot. */
export interface InputRate {
  /** The next segment of the source. */
  add(bytes: number, durationMs: number): void
  /** Bit rate of one slot, counted from 0; earlier slots cannot be requested again. */
  take(number: number): number
}

/**
 * Segments of the source and slots begin together and have different lengths: each segment counts by its
 * overlap.
 */
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
