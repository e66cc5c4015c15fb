const PACKET_BYTES = 188
/** The PIDs that ffmpeg assigns to video and audio. */
const PIDS: readonly number[] = [0x100, 0x101]
const HAS_ADAPTATION_FIELD = 0x20
const DISCONTINUITY = 0x80

/** A byte of a segment to change. */
export interface ByteChange {
  readonly offset: number
  readonly value: number
}

/**
 * Sets the discontinuity indicator in the first packets of video and audio (ISO 13818-1 §2.4.3.5). Any segment
 * may follow any other at a join, and without it a demuxer treats the last frame before the join as corrupt.
 * ffmpeg sets it only in the first segment of a file. Empty if all are set; undefined if a packet has no room
 * for it.
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
