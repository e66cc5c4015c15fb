import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInputRate } from './input-rate.ts'

test('a steady source has its bit rate in every slot, whatever the length of its segments', () => {
  for (const durationMs of [1_000, 4_000, 6_006]) {
    const rate = createInputRate(3_200)
    // 2 Mbit/s are 250 bytes per millisecond.
    for (let at = 0; at < 20; at += 1) rate.add(250 * durationMs, durationMs)

    assert.deepEqual([0, 1, 2, 3].map(rate.take), [2_000, 2_000, 2_000, 2_000])
  }
})

test('segments count by their share in the slot', () => {
  const rate = createInputRate(3_200)
  rate.add(400_000, 1_600)
  rate.add(800_000, 3_200)
  rate.add(400_000, 1_600)

  // 400,000 bytes of the first and half of the 800,000: 6.4 Mbit in 3.2 s.
  assert.deepEqual([rate.take(0), rate.take(1)], [2_000, 2_000])
})

test('time without media is not counted', () => {
  const rate = createInputRate(3_200)
  rate.add(400_000, 1_600)

  assert.equal(rate.take(0), 1_000)
  assert.equal(rate.take(1), 0)
})
