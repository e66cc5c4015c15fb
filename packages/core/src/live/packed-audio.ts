import { TICKS_PER_SECOND } from '../media/house-format.ts'
import { type AdtsFrame, readAdtsFrame } from '../packaging/adts.ts'
import { crc32 } from '../scte35/crc32.ts'

/** Packets of MPEG-TS, ISO 13818-1 §2.4.3. */
const PACKET_BYTES = 188
const HEADER_BYTES = 4
const AUDIO_PID = 0x101
const MAP_PID = 0x100
/** AAC in ADTS frames. */
const STREAM_TYPE = 0x0f

/** Frames per timestamp; about a tenth of a second. */
const FRAMES_TOGETHER = 5

const TAG_HEADER_BYTES = 10
/** The timestamp is at the beginning of its tag. */
const LOOKED_THROUGH = 1_024
const OWNER = 'com.apple.streaming.transportStreamTimestamp\0'

/**
 * Converts packed AAC (RFC 8216 §3.4), whose timestamp is in an ID3 tag before its frames, to MPEG-TS: ffmpeg
 * reads packed AAC as if it began at 0. One converter per stream, because continuity counters continue from one
 * segment to the next. Anything else is returned unchanged.
 */
export function createAudioUnpacker(): (segment: Uint8Array) => Uint8Array {
  const counters = new Map<number, number>()
  const nextCounter = (pid: number) => {
    const counter = counters.get(pid) ?? 0
    counters.set(pid, (counter + 1) & 0x0f)
    return counter
  }
  return (segment) => {
    const tag = readTag(segment)
    if (tag === undefined) return segment
    const frames = readFrames(segment, tag.end)
    if (frames.length === 0) return segment
    const packets = [
      packetsOf(0, printSection(PROGRAMS), nextCounter),
      packetsOf(MAP_PID, printSection(STREAMS), nextCounter),
    ]
    let seconds = 0
    for (let at = 0; at < frames.length; at += FRAMES_TOGETHER) {
      const together = frames.slice(at, at + FRAMES_TOGETHER)
      const ticks = tag.ticks + Math.round(seconds * TICKS_PER_SECOND)
      packets.push(packetsOf(AUDIO_PID, printPes(ticks, together), nextCounter))
      seconds += together.reduce((sum, frame) => sum + frame.seconds, 0)
    }
    return join(packets)
  }
}

interface Tag {
  readonly ticks: number
  /** Where the frames begin. */
  readonly end: number
}

function readTag(bytes: Uint8Array): Tag | undefined {
  const end = tagEnd(bytes, 0)
  if (end === undefined || end > bytes.length) return undefined
  const owner = textAt(bytes, 0, Math.min(end, LOOKED_THROUGH)).indexOf(OWNER)
  const at = owner + OWNER.length
  if (owner < 0 || at + 8 > bytes.length) return undefined
  // 33 bits of eight bytes.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ticks = (view.getUint32(at) & 1) * 2 ** 32 + view.getUint32(at + 4)
  return { ticks, end }
}

/** Where an ID3 tag ends; undefined if none begins at `at`. */
function tagEnd(bytes: Uint8Array, at: number): number | undefined {
  if (textAt(bytes, at, at + 3) !== 'ID3' || at + TAG_HEADER_BYTES > bytes.length) return undefined
  // Seven bits in each byte.
  const [, , , , , , a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at)
  return at + TAG_HEADER_BYTES + (((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (d & 0x7f))
}

const textAt = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to))

/** Ends at anything that is neither a frame nor a tag, and at a truncated frame. */
function readFrames(bytes: Uint8Array, from: number): readonly AdtsFrame[] {
  const frames: AdtsFrame[] = []
  for (let at = from; ; ) {
    const frame = readAdtsFrame(bytes, at)
    if (frame !== undefined) frames.push(frame)
    const end = frame === undefined ? tagEnd(bytes, at) : at + frame.bytes.length
    if (end === undefined) return frames
    at = end
  }
}

/** The PID after three reserved bits. */
const numberOf = (pid: number): readonly number[] => [0xe0 | (pid >> 8), pid & 0xff]

/** The program association and the program map: one program with one stream. Both without their CRC. */
const PROGRAMS = Uint8Array.of(0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, ...numberOf(MAP_PID))
const PROGRAM = [2, 0xb0, 18, 0, 1, 0xc1, 0, 0, ...numberOf(AUDIO_PID), 0xf0, 0]
const STREAMS = Uint8Array.of(...PROGRAM, STREAM_TYPE, ...numberOf(AUDIO_PID), 0xf0, 0)

/** A section with its pointer and CRC, padded to a packet. */
function printSection(section: Uint8Array): Uint8Array {
  const sum = crc32(section)
  const bytes = new Uint8Array(PACKET_BYTES - HEADER_BYTES).fill(0xff)
  bytes.set([0, ...section, sum >>> 24, (sum >>> 16) & 0xff, (sum >>> 8) & 0xff, sum & 0xff])
  return bytes
}

/** A packetized elementary stream packet, ISO 13818-1 §2.4.3.6, with a timestamp. */
function printPes(ticks: number, frames: readonly AdtsFrame[]): Uint8Array {
  const payload = join(frames.map(({ bytes }) => bytes))
  const length = payload.length + 8
  const high = Math.floor(ticks / 2 ** 30) & 7
  const [middle, low] = [(ticks >>> 15) & 0x7fff, ticks & 0x7fff]
  const timestamp = [
    0x21 | (high << 1),
    middle >> 7,
    ((middle << 1) & 0xff) | 1,
    low >> 7,
    ((low << 1) & 0xff) | 1,
  ]
  const header = [0, 0, 1, 0xc0, (length >> 8) & 0xff, length & 0xff, 0x80, 0x80, 5, ...timestamp]
  return join([Uint8Array.from(header), payload])
}

/** The last packet is padded before its payload by an adaptation field. */
function packetsOf(pid: number, payload: Uint8Array, nextCounter: (pid: number) => number): Uint8Array {
  const room = PACKET_BYTES - HEADER_BYTES
  const packets: Uint8Array[] = []
  for (let at = 0; at < payload.length; at += room) {
    const part = payload.subarray(at, at + room)
    const packet = new Uint8Array(PACKET_BYTES).fill(0xff)
    const stuffing = room - part.length
    const control = (stuffing > 0 ? 0x30 : 0x10) | nextCounter(pid)
    packet.set([0x47, (at === 0 ? 0x40 : 0) | (pid >> 8), pid & 0xff, control])
    if (stuffing > 0) packet[HEADER_BYTES] = stuffing - 1
    if (stuffing > 1) packet[HEADER_BYTES + 1] = 0
    packet.set(part, PACKET_BYTES - part.length)
    packets.push(packet)
  }
  return join(packets)
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
