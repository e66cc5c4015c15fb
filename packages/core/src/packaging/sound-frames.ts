import { readAdtsFrame } from './adts.ts'

const PACKET_BYTES = 188
/** The PID that ffmpeg assigns to the second stream of a file, the audio. */
const AUDIO_PID = 0x101

/** The number of audio frames of a segment in the house format. Its packets are known to be complete. */
export function countSoundFrames(segment: Uint8Array): number {
  const sound = soundOf(segment)
  let frames = 0
  for (let at = 0; ; frames += 1) {
    const frame = readAdtsFrame(sound, at)
    if (frame === undefined) return frames
    at += frame.bytes.length
  }
}

/** The payload of the audio packets. */
function soundOf(segment: Uint8Array): Uint8Array {
  const sound = new Uint8Array(segment.length)
  let length = 0
  for (let at = 0; at + PACKET_BYTES <= segment.length; at += PACKET_BYTES) {
    const pid = ((segment[at + 1]! & 0x1f) << 8) | segment[at + 2]!
    const hasPayload = (segment[at + 3]! & 0x10) !== 0
    if (pid !== AUDIO_PID || !hasPayload) continue
    const hasField = (segment[at + 3]! & 0x20) !== 0
    const start = at + 4 + (hasField ? 1 + segment[at + 4]! : 0)
    const isStart = (segment[at + 1]! & 0x40) !== 0
    const payload = segment.subarray(isStart ? start + 9 + segment[start + 8]! : start, at + PACKET_BYTES)
    sound.set(payload, length)
    length += payload.length
  }
  return sound.subarray(0, length)
}
