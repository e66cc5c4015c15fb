import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segmentStartMarks } from './segment-start.ts'

const VIDEO = 0x100
const AUDIO = 0x101

/** A packet of a stream; with flags it has an adaptation field. */
function packet(pid: number, flags?: number): Uint8Array {
  const bytes = new Uint8Array(188).fill(0xff)
  const adaptation = flags === undefined ? [0x10] : [0x30, 1, flags]
  bytes.set([0x47, 0x40 | (pid >> 8), pid & 0xff, ...adaptation])
  return bytes
}

const segment = (...packets: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(packets.flatMap((it) => [...it]))

test('the first packet of video and of audio is marked, and no other', () => {
  const bytes = segment(
    packet(0),
    packet(VIDEO, 0x50),
    packet(VIDEO, 0),
    packet(AUDIO, 0x40),
    packet(AUDIO, 0),
    packet(VIDEO, 0x50),
  )

  assert.deepEqual(segmentStartMarks(bytes), [
    { offset: 188 + 5, value: 0xd0 },
    { offset: 3 * 188 + 5, value: 0xc0 },
  ])
})

test('a segment that is already marked stays unchanged', () => {
  assert.deepEqual(segmentStartMarks(segment(packet(VIDEO, 0x90), packet(AUDIO, 0x80))), [])
})

test('a segment without room for the mark, or without a stream, does not count as marked', () => {
  assert.equal(segmentStartMarks(segment(packet(VIDEO), packet(AUDIO, 0))), undefined)
  assert.equal(segmentStartMarks(segment(packet(VIDEO, 0))), undefined)
})
