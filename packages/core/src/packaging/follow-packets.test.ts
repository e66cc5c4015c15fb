import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followPackets } from './follow-packets.ts'

function packet(pid: number, counter: number, isStart: boolean): number[] {
  const head = [0x47, (isStart ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10 | counter]
  return [...head, ...Array<number>(184).fill(0)]
}
const segment = (...packets: readonly number[][]) => Uint8Array.from(packets.flat())

test('frames are counted from one segment to the next', () => {
  const counters = new Map<number, number>()
  const first = segment(packet(0x100, 14, true), packet(0x101, 0, true), packet(0x100, 15, false))
  const second = segment(packet(0x100, 0, true), packet(0x100, 1, true), packet(0x101, 1, true))

  assert.equal(followPackets(first, counters), 1)
  assert.equal(followPackets(second, counters), 2)
})

test('missing packets are detected within a segment and between two', () => {
  const whole = segment(packet(0x100, 3, true), packet(0x100, 4, false))

  assert.equal(followPackets(new Uint8Array(0), new Map()), undefined)
  assert.equal(followPackets(whole.subarray(0, 300), new Map()), undefined)
  assert.equal(followPackets(segment(packet(0x100, 3, true), packet(0x100, 5, false)), new Map()), undefined)
  assert.equal(followPackets(whole, new Map([[0x100, 1]])), undefined)
  assert.equal(followPackets(whole.with(188, 0), new Map()), undefined)
  assert.equal(followPackets(whole, new Map([[0x100, 2]])), 1)
})
