import { TICKS_PER_MS } from '../media/house-format.ts'

/** Packets of MPEG-TS, ISO 13818-1 §2.4.3. */
const PACKET_BYTES = 188
const SYNC_BYTE = 0x47

/** Timestamps of MPEG-TS have 33 bits. */
const WRAP_MS = 2 ** 33 / TICKS_PER_MS

/** The time from one timestamp to another; either may have wrapped. */
export function sinceMs(fromMs: number, toMs: number): number {
  const apartMs = toMs - fromMs
  return apartMs - WRAP_MS * Math.round(apartMs / WRAP_MS)
}

/** The first timestamp of a segment, in MPEG-TS or in fMP4 with its map; undefined if none is found. */
export function readSegmentStart(segment: Uint8Array, map: Uint8Array): number | undefined {
  return segment[0] === SYNC_BYTE ? startOfPackets(segment) : startOfFragment(segment, map)
}

function startOfPackets(bytes: Uint8Array): number | undefined {
  for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const isStart = bytes[at] === SYNC_BYTE && (bytes[at + 1]! & 0x40) !== 0
    if (!isStart) continue
    const hasField = (bytes[at + 3]! & 0x20) !== 0
    const pes = at + 4 + (hasField ? 1 + bytes[at + 4]! : 0)
    const ticks = startOfPes(bytes.subarray(pes, at + PACKET_BYTES))
    if (ticks !== undefined) return ticks / TICKS_PER_MS
  }
  return undefined
}

/** ISO 13818-1 §2.4.3.6: video, audio, or a private stream, which can contain audio. */
function startOfPes(bytes: Uint8Array): number | undefined {
  const [a, b, c, id = 0, , , , flags = 0, , ...time] = bytes.subarray(0, 14)
  const isMedia = id === 0xbd || (id >= 0xc0 && id <= 0xef)
  if (a !== 0 || b !== 0 || c !== 1 || !isMedia || (flags & 0x80) === 0 || time.length < 5) return undefined
  const [t0, t1, t2, t3, t4] = time as [number, number, number, number, number]
  return ((t0 >> 1) & 7) * 2 ** 30 + ((t1 << 22) | ((t2 >> 1) << 15) | (t3 << 7) | (t4 >> 1))
}

/** ISO 14496-12: the decode time of the first track that has one, in the timescale of that track. */
function startOfFragment(segment: Uint8Array, map: Uint8Array): number | undefined {
  const scales = new Map(tracksOf(map))
  for (const moof of boxesOf(viewOf(segment), 'moof')) {
    for (const traf of boxesOf(moof, 'traf')) {
      const [header] = boxesOf(traf, 'tfhd')
      const [time] = boxesOf(traf, 'tfdt')
      const scale = scales.get(uint32At(header, 4) ?? 0)
      const ticks = time && timeIn(time)
      if (scale !== undefined && ticks !== undefined) return (1_000 * ticks) / scale
    }
  }
  return undefined
}

function* tracksOf(map: Uint8Array): Generator<readonly [id: number, scale: number]> {
  for (const moov of boxesOf(viewOf(map), 'moov')) {
    for (const trak of boxesOf(moov, 'trak')) {
      const [header] = boxesOf(trak, 'tkhd')
      const [media] = boxesOf(trak, 'mdia')
      const [mediaHeader] = media === undefined ? [] : boxesOf(media, 'mdhd')
      // In version 1, two 64-bit times precede it; in version 0, two 32-bit times.
      const id = uint32At(header, isLong(header) ? 20 : 12)
      const scale = uint32At(mediaHeader, isLong(mediaHeader) ? 20 : 12)
      if (id !== undefined && scale !== undefined && scale > 0) yield [id, scale]
    }
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const isLong = (box: DataView | undefined): boolean =>
  box !== undefined && box.byteLength > 0 && box.getUint8(0) === 1

const uint32At = (box: DataView | undefined, at: number): number | undefined =>
  box !== undefined && at + 4 <= box.byteLength ? box.getUint32(at) : undefined

function timeIn(tfdt: DataView): number | undefined {
  if (!isLong(tfdt)) return uint32At(tfdt, 4)
  return tfdt.byteLength < 12 ? undefined : Number(tfdt.getBigUint64(4))
}

/** The content of the boxes with a name. A box that claims more than its parent contains ends with the parent. */
function* boxesOf(parent: DataView, name: string): Generator<DataView> {
  for (let at = 0; at + 8 <= parent.byteLength; ) {
    const size = parent.getUint32(at)
    const isHuge = size === 1 && at + 16 <= parent.byteLength
    const length = isHuge ? Number(parent.getBigUint64(at + 8)) : size
    const head = isHuge ? 16 : 8
    if (length < head) return
    const end = Math.min(parent.byteLength, at + length)
    const found = String.fromCharCode(...[4, 5, 6, 7].map((byte) => parent.getUint8(at + byte)))
    if (found === name && at + head <= end) {
      yield new DataView(parent.buffer, parent.byteOffset + at + head, end - at - head)
    }
    at = at + length
  }
}
