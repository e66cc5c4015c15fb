import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bufferSize, createSlotBuffer } from './slot-buffer.ts'

const SLOT_MS = 3_200

test('the delay is two target durations and a segment, and one more burst may be queued', () => {
  assert.deepEqual(bufferSize(6_000, SLOT_MS), { depth: 5, most: 8 })
  assert.deepEqual(bufferSize(10_000, SLOT_MS), { depth: 8, most: 13 })
  assert.deepEqual(bufferSize(2_000, SLOT_MS), { depth: 3, most: 5 })
})

test('nothing is shown before the delay has built up, then one segment per slot', () => {
  const buffer = createSlotBuffer<number>({ depth: 3, most: 5 }, 1)
  buffer.add(0, false)
  buffer.add(1, false)
  assert.equal(buffer.take(), undefined)

  buffer.add(2, false)

  assert.deepEqual(
    [buffer.take(), buffer.take(), buffer.take()],
    [0, 1, 2].map((segment) => ({ segment, epoch: 1 })),
  )
  assert.equal(buffer.take(), undefined)
})

test('a segment that arrives before the deadline of its slot is still shown in it', () => {
  const buffer = createSlotBuffer<number>({ depth: 1, most: 3 }, 1)
  buffer.add(0, false)
  buffer.take()
  assert.equal(buffer.take(), undefined)

  buffer.add(1, false)

  assert.deepEqual(buffer.take(), { segment: 1, epoch: 1 })
})

test('after a missed slot the delay builds up again, and the timestamps continue', () => {
  const buffer = createSlotBuffer<number>({ depth: 2, most: 4 }, 1)
  for (const segment of [0, 1]) buffer.add(segment, false)
  buffer.take()
  buffer.take()
  buffer.miss()
  buffer.add(2, false)
  assert.equal(buffer.take(), undefined)

  buffer.add(3, false)

  assert.deepEqual(buffer.take(), { segment: 2, epoch: 1 })
})

test('a source that is too fast loses the surplus at once, in a new epoch', () => {
  const buffer = createSlotBuffer<number>({ depth: 2, most: 4 }, 7)
  for (let segment = 0; segment < 2; segment += 1) buffer.add(segment, false)
  assert.deepEqual(buffer.take(), { segment: 0, epoch: 7 })
  for (let segment = 2; segment < 6; segment += 1) buffer.add(segment, false)

  assert.equal(buffer.waiting(), 5)
  assert.deepEqual(buffer.take(), { segment: 4, epoch: 8 })
  assert.deepEqual(buffer.dropped(), [1, 2, 3])
  assert.deepEqual(buffer.dropped(), [])
  assert.deepEqual(buffer.take(), { segment: 5, epoch: 8 })
})

test('a timestamp break starts a new epoch, except at the first segment', () => {
  const buffer = createSlotBuffer<number>({ depth: 1, most: 4 }, 1)
  buffer.add(0, true)
  buffer.add(1, false)
  buffer.add(2, true)

  assert.deepEqual(
    [buffer.take(), buffer.take(), buffer.take()].map((media) => media?.epoch),
    [1, 1, 2],
  )
})

test('a buffer from which nothing is taken stays bounded', () => {
  const buffer = createSlotBuffer<number>({ depth: 2, most: 4 }, 1)

  for (let segment = 0; segment < 1_000; segment += 1) buffer.add(segment, false)

  assert.equal(buffer.waiting(), 8)
  assert.equal(buffer.dropped().length, 992)
})

test('for any clock drift and bursts of a source: in order, without repeats, epochs exactly at breaks, bounded', () => {
  const source = fc.record({
    /** Speed of the source's clock: from 5 % slow to 5 % fast. */
    speed: fc.double({ min: 0.95, max: 1.05, noNaN: true }),
    burst: fc.integer({ min: 1, max: 4 }),
    stalls: fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 30 })), { maxLength: 3 }),
    breaks: fc.array(fc.nat(400), { maxLength: 5 }),
  })
  fc.assert(
    fc.property(source, ({ speed, burst, stalls, breaks }) => {
      const size = bufferSize(burst * SLOT_MS, SLOT_MS)
      const buffer = createSlotBuffer<number>(size, 1)
      const shown: { slot: number; segment: number; epoch: number }[] = []
      let made = 0
      for (let slot = 0; slot < 400; slot += 1) {
        const isStalled = stalls.some(([from, length]) => slot >= from && slot < from + length)
        const due = isStalled ? made : Math.floor((slot * speed) / burst) * burst
        for (; made < due; made += 1) buffer.add(made, breaks.includes(made))
        const media = buffer.take()
        if (media === undefined) buffer.miss()
        else shown.push({ slot, ...media })
        assert.ok(buffer.waiting() <= 2 * size.most)
      }
      for (const [at, { segment, epoch }] of shown.entries()) {
        const before = shown[at - 1]
        if (before === undefined) continue
        assert.ok(segment > before.segment)
        const isNext = segment === before.segment + 1
        const isCut = breaks.some((number) => number > before.segment && number <= segment)
        assert.equal(epoch - before.epoch, isNext && !isCut ? 0 : 1)
      }
      // In any case, a source that sends is shown most of the time.
      const stalled = stalls.reduce((sum, [, length]) => sum + length + size.depth + burst, 0)
      assert.ok(shown.length >= 400 * 0.7 - stalled - 4 * burst, `${shown.length}`)
    }),
  )
})
