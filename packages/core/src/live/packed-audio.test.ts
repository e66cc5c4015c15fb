import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crc32 } from '../scte35/crc32.ts'
import { createAudioUnpacker } from './packed-audio.ts'
import { readSegmentStart } from './segment-start.ts'

const PACKET_BYTES = 188

const latin = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0))

const size7 = (size: number): number[] => [21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f)

const aTag = (frames: readonly number[]): number[] => [
  ...latin('ID3'),
  4,
  0,
  0,
  ...size7(frames.length),
  ...frames,
]

function aTimestamp(ticks: bigint): number[] {
  const value = new DataView(new ArrayBuffer(8))
  value.setBigUint64(0, ticks)
  const body = [...latin('com.apple.streaming.transportStreamTimestamp\0'), ...new Uint8Array(value.buffer)]
  return aTag([...latin('PRIV'), ...size7(body.length), 0, 0, ...body])
}

/** An ADTS frame at 48 kHz with this many bytes after its header. */
function aFrame(bytes: number, fill: number): number[] {
  const length = 7 + bytes
  const header = [
    0xff,
    0xf1,
    0x4c,
    0x80 | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]
  return [...header, ...Array.from({ length: bytes }, () => fill)]
}

interface Pes {
  readonly ticks: bigint
  readonly payload: readonly number[]
}

/** What a demuxer finds in a stream: its sections and PES packets. Throws if packets are missing. */
function demux(stream: Uint8Array) {
  const counters = new Map<number, number>()
  const parts = new Map<number, number[][]>()
  assert.equal(stream.length % PACKET_BYTES, 0)
  for (let at = 0; at < stream.length; at += PACKET_BYTES) {
    const packet = stream.subarray(at, at + PACKET_BYTES)
    assert.equal(packet[0], 0x47)
    const pid = ((packet[1]! & 0x1f) << 8) | packet[2]!
    const counter = packet[3]! & 0x0f
    const before = counters.get(pid)
    if (before !== undefined) assert.equal(counter, (before + 1) % 16, `packet of ${pid} is missing`)
    counters.set(pid, counter)
    const payload = packet.subarray((packet[3]! & 0x20) === 0 ? 4 : 5 + packet[4]!)
    const list = parts.get(pid) ?? []
    parts.set(pid, list)
    if ((packet[1]! & 0x40) === 0) list.at(-1)!.push(...payload)
    else list.push([...payload])
  }
  const section = (pid: number) => {
    const bytes = parts.get(pid)![0]!.slice(1)
    return bytes.slice(0, 3 + (((bytes[1]! & 0x0f) << 8) | bytes[2]!))
  }
  const programs = section(0)
  const mapPid = ((programs[10]! & 0x1f) << 8) | programs[11]!
  const streams = section(mapPid)
  const audioPid = ((streams[13]! & 0x1f) << 8) | streams[14]!
  const sounds = parts.get(audioPid)!.map((bytes): Pes => {
    assert.deepEqual(bytes.slice(0, 3), [0, 0, 1])
    assert.equal((bytes[4]! << 8) | bytes[5]!, bytes.length - 6)
    const bits = bytes
      .slice(9, 14)
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
    const ticks = BigInt(`0b${bits.slice(4, 7)}${bits.slice(8, 23)}${bits.slice(24, 39)}`)
    return { ticks, payload: bytes.slice(9 + bytes[8]!) }
  })
  return { programs, streams, sounds }
}

test('packed AAC becomes MPEG-TS with the same frames, starting at the time of its tag', () => {
  const frames = Array.from({ length: 12 }, (_, at) => aFrame(100 + 60 * at, at))
  const unpack = createAudioUnpacker()

  const stream = unpack(Uint8Array.from([...aTimestamp(900_000n), ...frames.flat()]))

  const { programs, streams, sounds } = demux(stream)
  assert.deepEqual([crc32(programs), crc32(streams)], [0, 0])
  assert.equal(streams[12], 0x0f)
  assert.deepEqual(
    sounds.flatMap(({ payload }) => payload),
    frames.flat(),
  )
  // 1,024 samples at 48 kHz are 1,920 ticks.
  assert.deepEqual(
    sounds.map(({ ticks }) => ticks),
    [900_000n, 900_000n + 5n * 1_920n, 900_000n + 10n * 1_920n],
  )
  assert.equal(readSegmentStart(stream, new Uint8Array()), 10_000)
})

test('continuity counters continue from one segment to the next, and timestamps wrap', () => {
  const unpack = createAudioUnpacker()
  const last = 2n ** 33n - 1_920n
  const frames = Array.from({ length: 10 }, () => aFrame(500, 7)).flat()

  const one = unpack(Uint8Array.from([...aTimestamp(last), ...frames]))
  const other = unpack(Uint8Array.from([...aTimestamp(9n * 1_920n), ...frames]))

  const { sounds } = demux(Uint8Array.from([...one, ...other]))
  assert.deepEqual(
    sounds.map(({ ticks }) => ticks),
    [last, 4n * 1_920n, 9n * 1_920n, 14n * 1_920n],
  )
})

test('further tags are skipped, and a truncated frame ends the frames', () => {
  const [one, other] = [aFrame(50, 1), aFrame(60, 2)]
  const tagged = [...aTimestamp(0n), ...aTag(latin('TXXX and so on')), ...one, ...aTag([1, 2]), ...other]

  const { sounds } = demux(createAudioUnpacker()(Uint8Array.from([...tagged, ...one.slice(0, 30)])))

  assert.deepEqual(
    sounds.flatMap(({ payload }) => payload),
    [...one, ...other],
  )
})

test('a packet that is full, or lacks a byte or two, is padded so that a demuxer finds the same frames', () => {
  // 14 bytes of a header precede them; a packet has room for 184.
  for (const bytes of [184, 183, 182, 181, 368, 367, 366]) {
    const frame = aFrame(bytes - 14 - 7, 9)

    const stream = createAudioUnpacker()(Uint8Array.from([...aTimestamp(7n), ...frame]))

    assert.deepEqual(demux(stream).sounds, [{ ticks: 7n, payload: frame }], `${bytes}`)
    assert.equal(stream.length, (2 + Math.ceil(bytes / 184)) * PACKET_BYTES)
  }
})

test('padding is an adaptation field without flags, filled with ones', () => {
  const last = (bytes: number) =>
    createAudioUnpacker()(Uint8Array.from([...aTimestamp(7n), ...aFrame(bytes - 14 - 7, 9)])).slice(
      -PACKET_BYTES,
    )

  assert.deepEqual(Array.from(last(184).slice(3, 7)), [0x10, 0, 0, 1])
  assert.deepEqual(Array.from(last(183).slice(3, 8)), [0x30, 0, 0, 0, 1])
  assert.deepEqual(Array.from(last(182).slice(3, 9)), [0x30, 1, 0, 0, 0, 1])
  assert.deepEqual(Array.from(last(180).slice(3, 11)), [0x30, 3, 0, 0xff, 0xff, 0, 0, 1])
})

test('what is cut inside its tag or its first frame is returned unchanged, wherever it is cut', () => {
  const whole = Uint8Array.from([...aTimestamp(5n), ...aFrame(20, 1)])

  assert.notEqual(createAudioUnpacker()(whole), whole)
  for (const end of whole.keys()) {
    const cut = whole.slice(0, end)
    assert.equal(createAudioUnpacker()(cut), cut, `${end}`)
  }
})

test('a frame with a wrong sync word, sample rate or length is none', () => {
  const faults: readonly (readonly [number, number])[] = [
    [0, 0xfe],
    [1, 0xe1],
    [1, 0xf3],
    [2, 0x74],
    [4, 0],
  ]
  for (const [at, value] of faults) {
    const bytes = Uint8Array.from([...aTimestamp(5n), ...aFrame(20, 1).with(at, value)])
    assert.equal(createAudioUnpacker()(bytes), bytes, `${at}`)
  }
  const empty = Uint8Array.from([...aTimestamp(5n), ...aFrame(0, 1)])
  assert.deepEqual(demux(createAudioUnpacker()(empty)).sounds, [{ ticks: 5n, payload: aFrame(0, 1) }])
})

test('anything but packed AAC with a timestamp is returned unchanged', () => {
  const leave = (bytes: Uint8Array) => assert.equal(createAudioUnpacker()(bytes), bytes)
  leave(Uint8Array.from(aFrame(50, 1)))
  leave(Uint8Array.from([...aTag(latin('TXXX')), ...aFrame(50, 1)]))
  leave(Uint8Array.from(aTimestamp(5n)))
  leave(Uint8Array.from(aTimestamp(5n).slice(0, -4)))
  const anyPart = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.constantFrom(aTimestamp(5n), aTag([]), aFrame(9, 3), latin('ID3'), [0xff, 0xf1]),
  )
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 6 }), (parts) => {
      const bytes = Uint8Array.from(parts.flatMap((bytes) => [...bytes]))
      const stream = createAudioUnpacker()(bytes)
      assert.ok(stream === bytes || demux(stream).sounds.length > 0)
    }),
  )
})
