import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReferenceClock } from './reference-clock.ts'

const START_MS = 1_800_000_000_000

/** A server with these offsets to a correct host, one per reading, with this round trip. */
async function read(aheads: readonly (number | undefined)[], roundTripMs = 2) {
  let monotonicMs = 500
  const queue = [...aheads]
  const clock = createReferenceClock(
    async () => {
      const aheadMs = queue.shift()
      if (aheadMs === undefined) throw new Error('unavailable')
      const fromMs = monotonicMs
      monotonicMs += roundTripMs
      return { serverMs: START_MS + fromMs + roundTripMs / 2 + aheadMs, fromMs, toMs: monotonicMs }
    },
    () => monotonicMs,
  )
  for (const _ of aheads) await clock.sample()
  return {
    clock,
    /** The reading of a system clock with this offset, after a while. */
    offsetMs: (systemAheadMs = 0, afterMs = 0) => {
      monotonicMs += afterMs
      return clock.reading(START_MS + monotonicMs + systemAheadMs)?.offsetMs
    },
    errorMs: () => clock.reading(START_MS)?.errorMs,
  }
}

test('the offset is the median of the last five readings', async () => {
  assert.equal((await read([0])).offsetMs(), 0)
  assert.equal((await read([7])).offsetMs(), -7)
  assert.equal((await read([10, 3_600_000, 12, -3_600_000, 11])).offsetMs(), -11)
  assert.equal((await read([5_000, 5_000, 5_000, 5_000, 5_000, 1, 2, 3])).offsetMs(), -3)
})

test('a step of the system clock is visible at once, by readings from before it', async () => {
  const it = await read([0, 0, 0])

  assert.equal(it.offsetMs(0, 1_000), 0)
  assert.equal(it.offsetMs(3_600_000), 3_600_000)
  assert.equal(it.offsetMs(-3_600_000), -3_600_000)
})

test('the error is half of the round trip plus a millisecond for rounding', async () => {
  assert.equal((await read([0], 400)).errorMs(), 201)
})

test('a server that cannot be read keeps its readings for five minutes', async () => {
  const it = await read([4, undefined, undefined])

  assert.equal(it.clock.readings(), 1)
  assert.equal(it.offsetMs(0, 299_000), -4)
  assert.equal(it.offsetMs(0, 2_000), undefined)
})
