import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ClockName, type ClockReading, judgeClocks } from './clock-verdict.ts'

const read = (offsetMs: number, errorMs = 0): ClockReading => ({ offsetMs, errorMs })

/**
 * Offsets of the process to PostgreSQL and to the broker, the clock at fault, its offset, and whether the
 * process stops.
 */
const cases: readonly [
  number | undefined,
  number | undefined,
  ClockName | undefined,
  number,
  'stops' | 'continues',
][] = [
  [0, 0, undefined, 0, 'continues'],
  [250, 250, undefined, 0, 'continues'],
  [251, 251, 'own', 251, 'continues'],
  [-251, -251, 'own', -251, 'continues'],
  [1_000, 1_000, 'own', 1_000, 'continues'],
  [1_001, 1_001, 'own', 1_001, 'stops'],
  [3_600_000, 3_600_010, 'own', 3_600_000, 'stops'],
  [-3_600_000, -3_599_990, 'own', -3_599_990, 'stops'],
  [3_600_000, 0, 'database', -3_600_000, 'continues'],
  [-400, 5, 'database', 400, 'continues'],
  [0, 3_600_000, 'broker', -3_600_000, 'continues'],
  [5, -400, 'broker', 400, 'continues'],
  // Only one pair disagrees, so no clock disagrees with both others.
  [200, -200, undefined, 0, 'continues'],
  [200, 300, undefined, 0, 'continues'],
  // All three disagree.
  [2_000, -5_000, 'own', 2_000, 'stops'],
  [900, -5_000, 'own', 900, 'continues'],
  // Only one reference.
  [3_600_000, undefined, 'own', 3_600_000, 'stops'],
  [400, undefined, 'own', 400, 'continues'],
  [100, undefined, undefined, 0, 'continues'],
  [undefined, -1_500, 'own', -1_500, 'stops'],
  [undefined, undefined, undefined, 0, 'continues'],
]

test('the clock that disagrees with both others is at fault, and only the process itself has to stop', () => {
  for (const [database, broker, atFault, offsetMs, outcome] of cases) {
    const verdict = judgeClocks({
      database: database === undefined ? undefined : read(database),
      broker: broker === undefined ? undefined : read(broker),
    })
    assert.deepEqual(
      verdict,
      { atFault, offsetMs, mustStop: outcome === 'stops' },
      `database ${database}, broker ${broker}`,
    )
  }
})

test('a slow response does not count as a wrong clock, and does not hide one that is further off than the delay', () => {
  const slow = { database: read(600, 400), broker: read(600, 400) }
  const slowAndWrong = { database: read(3_600_000, 400), broker: read(3_600_000, 400) }
  const slowReference = { database: read(0, 0), broker: read(600, 400) }

  assert.equal(judgeClocks(slow).atFault, undefined)
  assert.deepEqual(judgeClocks(slowAndWrong), { atFault: 'own', offsetMs: 3_600_000, mustStop: true })
  assert.equal(judgeClocks(slowReference).atFault, undefined)
})

test('of three clocks, the one that is moved is found, despite jitter of the others', () => {
  const jitter = fc.integer({ min: -60, max: 60 })
  const moved = fc.constantFrom<ClockName>('own', 'database', 'broker')
  const farMs = fc.integer({ min: 500, max: 3_600_000 }).chain((ms) => fc.constantFrom(ms, -ms))
  fc.assert(
    fc.property(moved, farMs, jitter, jitter, jitter, (name, byMs, own, database, broker) => {
      const shown = { own, database, broker }
      shown[name] += byMs
      const verdict = judgeClocks({
        database: read(shown.own - shown.database),
        broker: read(shown.own - shown.broker),
      })
      assert.equal(verdict.atFault, name)
      assert.ok(Math.abs(verdict.offsetMs - byMs) <= 120)
      if (name !== 'own') assert.equal(verdict.mustStop, false)
    }),
  )
})
