const PACKET_BYTES = 188
/** The numbers that ffmpeg gives picture and sound. */
const PIDS: readonly number[] = [0x100, 0x101]
const HAS_ADAPTATION_FIELD = 0x20
const DISCONTINUITY = 0x80

/** Where a byte of a segment is another. */
export interface ByteChange {
  readonly offset: number
  readonly value: number
}

/**
 * Marks the first packets of picture and sound as ones whose counters do not continue (ISO 13818-1 §2.4.3.5). Any segment may
 * follow any other at a join, and without the mark a demuxer takes the last frame before the join for a corrupt one.
 * ffmpeg marks the first segment of a file alone. Empty where all is marked; undefined where a packet has no room for it.
 */
export function segmentStartMarks(bytes: Uint8Array): readonly ByteChange[] | undefined {
  const missing = new Set(PIDS)
  const changes: ByteChange[] = []
  for (let at = 0; at + PACKET_BYTES <= bytes.length && missing.size > 0; at += PACKET_BYTES) {
    const pid = ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!
    if (!missing.delete(pid)) continue
    const hasFlags = (bytes[at + 3]! & HAS_ADAPTATION_FIELD) !== 0 && bytes[at + 4]! > 0
    if (!hasFlags) return undefined
    const flags = bytes[at + 5]!
    if ((flags & DISCONTINUITY) === 0) changes.push({ offset: at + 5, value: flags | DISCONTINUITY })
  }
  return missing.size === 0 ? changes : undefined
}
