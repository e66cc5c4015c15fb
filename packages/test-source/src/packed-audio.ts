const PACKET_BYTES = 188
/** The PID that ffmpeg gives the first stream of a file, which is the audio here. */
const AUDIO_PID = 0x100
const OWNER = 'com.apple.streaming.transportStreamTimestamp'

/** Converts an MPEG-TS segment with AAC to packed audio (RFC 8216 §3.4): an ID3 tag with its timestamp, and the frames. */
export function packAudio(segment: Buffer): Buffer {
  const frames: Buffer[] = []
  let ticks: bigint | undefined
  for (let at = 0; at + PACKET_BYTES <= segment.length; at += PACKET_BYTES) {
    const packet = segment.subarray(at, at + PACKET_BYTES)
    if ((packet.readUInt16BE(1) & 0x1fff) !== AUDIO_PID) continue
    const hasField = (packet[3]! & 0x20) !== 0
    let payload = packet.subarray(hasField ? 5 + packet[4]! : 4)
    const isStart = (packet[1]! & 0x40) !== 0
    if (isStart) {
      ticks ??= readTimestamp(payload.subarray(9, 14))
      payload = payload.subarray(9 + payload[8]!)
    }
    frames.push(payload)
  }
  return Buffer.concat([printTag(ticks ?? 0n), ...frames])
}

/** 33 bits in five bytes, with marker bits between them. */
const readTimestamp = (bytes: Buffer): bigint =>
  (BigInt((bytes[0]! >> 1) & 7) << 30n) |
  BigInt(((bytes.readUInt16BE(1) >> 1) << 15) | (bytes.readUInt16BE(3) >> 1))

function printTag(ticks: bigint): Buffer {
  const value = Buffer.alloc(8)
  value.writeBigUInt64BE(ticks)
  const body = Buffer.concat([Buffer.from(`${OWNER}\0`, 'latin1'), value])
  const frame = Buffer.concat([Buffer.from('PRIV'), sizeBytes(body.length), Buffer.alloc(2), body])
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), sizeBytes(frame.length), frame])
}

/** Sizes in ID3 have seven bits per byte. */
const sizeBytes = (size: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f))
