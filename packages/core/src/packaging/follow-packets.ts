/** Packets of MPEG-TS (ISO 13818-1 §2.4.3) have a fixed size and begin with a sync byte. */
const PACKET_BYTES = 188
const SYNC_BYTE = 0x47

/** The PID that ffmpeg assigns to the first stream of a file, the video. */
const VIDEO_PID = 0x100

/** The counter of the last packet of each stream. */
export type PacketCounters = Map<number, number>

/**
 * The number of frames of a segment; undefined if packets are missing in it, or between it and the segment
 * whose counters are given.
 *
 * ffmpeg reports no error when it cannot write a segment, and exits with 0. So its output is checked.
 */
export function followPackets(bytes: Uint8Array, counters: PacketCounters): number | undefined {
  if (bytes.length === 0 || bytes.length % PACKET_BYTES !== 0) return undefined
  let frames = 0
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    if (bytes[at] !== SYNC_BYTE) return undefined
    const pid = ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!
    const hasPayload = (bytes[at + 3]! & 0x10) !== 0
    if (!hasPayload) continue
    const counter = bytes[at + 3]! & 0x0f
    const before = counters.get(pid)
    if (before !== undefined && counter !== ((before + 1) & 0x0f)) return undefined
    counters.set(pid, counter)
    const isStart = (bytes[at + 1]! & 0x40) !== 0
    if (pid === VIDEO_PID && isStart) frames += 1
  }
  return frames
}
