import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSegmentStart, sinceMs } from './segment-start.ts'

const nothing = new Uint8Array()

const box = (name: string, ...content: readonly number[]): number[] => [
  ...uint32(8 + content.length),
  ...[...name].map((letter) => letter.charCodeAt(0)),
  ...content,
]

const uint32 = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value / 2 ** shift) & 0xff)
const uint64 = (value: number): number[] => [
  ...uint32(Math.floor(value / 2 ** 32)),
  ...uint32(value % 2 ** 32),
]

const track = (id: number, scale: number) =>
  box(
    'trak',
    ...box('tkhd', ...uint32(0), ...uint32(0), ...uint32(0), ...uint32(id)),
    ...box('mdia', ...box('mdhd', ...uint32(0), ...uint32(0), ...uint32(0), ...uint32(scale), ...uint32(0))),
  )

const fragment = (id: number, time: readonly number[]) =>
  box(
    'moof',
    ...box('mfhd', ...uint32(0)),
    ...box('traf', ...box('tfhd', ...uint32(0), ...uint32(id)), ...box('tfdt', ...time)),
  )

test("in fMP4, the start is the decode time of the first track in that track's timescale", () => {
  const map = Uint8Array.from([
    ...box('ftyp', 1, 2),
    ...box('moov', ...track(1, 90_000), ...track(2, 48_000)),
  ])
  const short = Uint8Array.from([...box('styp', 1), ...fragment(2, [...uint32(0), ...uint32(96_000)])])
  const long = Uint8Array.from(fragment(1, [1, 0, 0, 0, ...uint64(90_000 * 123_456)]))

  assert.equal(readSegmentStart(short, map), 2_000)
  assert.equal(readSegmentStart(long, map), 123_456_000)
  assert.equal(readSegmentStart(short, nothing), undefined)
  assert.equal(readSegmentStart(Uint8Array.from(fragment(3, [...uint32(0), ...uint32(5)])), map), undefined)
})

/** A packet of MPEG-TS whose payload begins with these bytes. */
const packet = (flags: number, payload: readonly number[], field = 0): number[] => {
  const head = [0x47, flags, 0, field > 0 ? 0x30 : 0x10, ...(field > 0 ? [field - 1] : [])]
  const stuffing = Array.from({ length: Math.max(0, field - 1) }, () => 0xff)
  return [...head, ...stuffing, ...payload, ...Array.from({ length: 188 }, () => 0)].slice(0, 188)
}

/** A packetized elementary stream packet with a timestamp, written bit by bit. */
function aPes(id: number, ticks: bigint): number[] {
  const bits = ticks.toString(2).padStart(33, '0')
  const marked = `0010${bits.slice(0, 3)}1${bits.slice(3, 18)}1${bits.slice(18)}1`
  const time = [0, 8, 16, 24, 32].map((at) => Number.parseInt(marked.slice(at, at + 8), 2))
  return [0, 0, 1, id, 0, 0, 0x80, 0x80, 5, ...time]
}

test('in MPEG-TS, the start is the first timestamp of video or audio, with all 33 bits', () => {
  const ticks = 2n ** 33n - 90n
  const stream = [
    ...packet(0x40, [0, 0, 0xb0, 13]),
    ...packet(0x40, aPes(0xbe, 5n)),
    ...packet(0x00, aPes(0xe0, 6n)),
    ...packet(0x40, aPes(0xe0, ticks), 9),
    ...packet(0x40, aPes(0xc0, 7n)),
  ]

  assert.equal(readSegmentStart(Uint8Array.from(stream), nothing), Number(ticks) / 90)
  assert.equal(readSegmentStart(Uint8Array.from(packet(0x40, aPes(0xc0, 180n))), nothing), 2)
})

test('other private streams, other packets and a packet without a timestamp are passed over', () => {
  const startOf = (pes: readonly number[]) => readSegmentStart(Uint8Array.from(packet(0x40, pes)), nothing)
  const changed = (at: number, value: number) => aPes(0xe0, 90n).with(at, value)

  for (const id of [0xbd, 0xc0, 0xdf, 0xe0, 0xef]) assert.equal(startOf(aPes(id, 90n)), 1)
  for (const id of [0xbc, 0xbe, 0xbf, 0xf0]) assert.equal(startOf(aPes(id, 90n)), undefined)
  assert.equal(startOf(changed(0, 1)), undefined)
  assert.equal(startOf(changed(1, 1)), undefined)
  assert.equal(startOf(changed(2, 0)), undefined)
  assert.equal(startOf(changed(7, 0x40)), undefined)
})

test('a packet that lost its sync byte, or ends before its timestamp does, is passed over', () => {
  const whole = packet(0x40, aPes(0xe0, 180n))
  const lost = packet(0x40, aPes(0xe0, 90n)).with(0, 0)
  // The adaptation field leaves room for all but the last byte of the timestamp.
  const short = packet(0x40, aPes(0xe0, 90n), 171)

  assert.equal(readSegmentStart(Uint8Array.from([...packet(0, []), ...lost, ...whole]), nothing), 2)
  assert.equal(readSegmentStart(Uint8Array.from([...short, ...whole]), nothing), 2)
  assert.equal(readSegmentStart(Uint8Array.from(packet(0x40, aPes(0xe0, 90n), 170)), nothing), 1)
  assert.equal(readSegmentStart(Uint8Array.from(whole.slice(0, 187)), nothing), undefined)
})

test('headers of version 1, and boxes with a size of 64 bits or up to the end, are read', () => {
  const long = [1, 0, 0, 0, ...uint64(0), ...uint64(0)]
  const header = box('tkhd', ...long, ...uint32(1))
  const media = box('mdia', ...box('mdhd', ...long, ...uint32(1_000), ...uint32(0)))
  const content = box('trak', ...header, ...media)
  const huge = [...uint32(1), ...box('moov').slice(4), ...uint64(16 + content.length), ...content]
  const segment = fragment(1, [...uint32(0), ...uint32(7)])
  // It claims more than there is.
  const cut = [...uint32(segment.length + 100), ...segment.slice(4)]

  assert.equal(readSegmentStart(Uint8Array.from(segment), Uint8Array.from(huge)), 7)
  assert.equal(readSegmentStart(Uint8Array.from(cut), Uint8Array.from([...box('ftyp'), ...huge])), 7)
})

test('a track without a timescale, and a fragment that is cut anywhere, have no start', () => {
  const map = (scale: number) => Uint8Array.from(box('moov', ...track(1, scale)))
  const segment = fragment(1, [1, 0, 0, 0, ...uint64(90_000)])

  assert.equal(readSegmentStart(Uint8Array.from(segment), map(90_000)), 1_000)
  assert.equal(readSegmentStart(Uint8Array.from(segment), map(0)), undefined)
  for (const end of segment.keys())
    assert.equal(readSegmentStart(Uint8Array.from(segment.slice(0, end)), map(90_000)), undefined, `${end}`)
  const whole = [...map(90_000)]
  // The last four bytes follow the timescale.
  for (const end of Array(whole.length - 4).keys())
    assert.equal(readSegmentStart(Uint8Array.from(segment), Uint8Array.from(whole.slice(0, end))), undefined)
})

test('it does not throw for any bytes', () => {
  const anyPart = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc.constantFrom(
      box('moof', ...box('traf', ...box('tfdt', 1))),
      [...uint32(1), 0x6d, 0x6f, 0x6f, 0x66, ...uint64(2 ** 52)],
      packet(0x40, aPes(0xe0, 1n)).slice(0, 100),
      packet(0x40, aPes(0xe0, 1n), 180),
      [...uint32(8), 0x6d, 0x6f, 0x6f, 0x76],
    ),
  )
  const bytes = fc
    .array(anyPart, { maxLength: 6 })
    .map((parts) => Uint8Array.from(parts.flatMap((it) => [...it])))
  fc.assert(
    fc.property(bytes, bytes, (segment, map) => {
      const startMs = readSegmentStart(segment, map)
      assert.ok(startMs === undefined || startMs >= 0)
    }),
  )
})

test('the difference of two timestamps takes the shorter direction around the wrap', () => {
  const wrapMs = 2 ** 33 / 90
  assert.equal(sinceMs(1_000, 4_000), 3_000)
  assert.equal(sinceMs(4_000, 1_000), -3_000)
  assert.ok(Math.abs(sinceMs(wrapMs - 1_000, 500) - 1_500) < 1e-3)
  assert.ok(Math.abs(sinceMs(500, wrapMs - 1_000) + 1_500) < 1e-3)
  assert.ok(Math.abs(sinceMs(3 * wrapMs + 100, 300) - 200) < 1e-3)
})
