import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ClockCourse, courseAt, type SteerCommand, steer } from './clock-course.ts'

const standing: ClockCourse = { anchorRealMs: 1_000, anchorMs: 50_000, rate: 0 }

test('a stopped clock shows the same time until it is steered', () => {
  assert.equal(courseAt(standing, 1_000), 50_000)
  assert.equal(courseAt(standing, 900_000), 50_000)
})

test('a clock at rate 10 advances ten milliseconds per millisecond', () => {
  const result = steer(standing, { kind: 'rate', rate: 10 }, 2_000)

  assert.ok(result.kind === 'steered')
  assert.equal(courseAt(result.course, 2_500), 55_000)
})

test('setting a clock back is rejected', () => {
  assert.deepEqual(steer(standing, { kind: 'set', toMs: 49_999 }, 2_000), {
    kind: 'rejected',
    reason: 'backwards',
  })
  assert.deepEqual(steer(standing, { kind: 'advance', byMs: -1 }, 2_000), {
    kind: 'rejected',
    reason: 'backwards',
  })
  assert.deepEqual(steer(standing, { kind: 'rate', rate: -1 }, 2_000), {
    kind: 'rejected',
    reason: 'backwards',
  })
})

test('a clock is set to a time, advanced by one, or stopped, and keeps its rate otherwise', () => {
  const running = { ...standing, rate: 2 }
  const steered = (command: SteerCommand) => {
    const result = steer(running, command, 2_000)
    assert.ok(result.kind === 'steered')
    return result.course
  }

  // It shows 52,000 now.
  assert.deepEqual(steered({ kind: 'set', toMs: 60_000 }), { anchorRealMs: 2_000, anchorMs: 60_000, rate: 2 })
  assert.deepEqual(steered({ kind: 'set', toMs: 52_000 }), { anchorRealMs: 2_000, anchorMs: 52_000, rate: 2 })
  assert.deepEqual(steered({ kind: 'advance', byMs: 500 }), {
    anchorRealMs: 2_000,
    anchorMs: 52_500,
    rate: 2,
  })
  assert.deepEqual(steered({ kind: 'rate', rate: 0 }), { anchorRealMs: 2_000, anchorMs: 52_000, rate: 0 })
})

test('a value that is not a number is rejected', () => {
  assert.deepEqual(steer(standing, { kind: 'advance', byMs: 0.5 }, 0), {
    kind: 'rejected',
    reason: 'not_a_number',
  })
  assert.deepEqual(steer(standing, { kind: 'set', toMs: Number.NaN }, 0), {
    kind: 'rejected',
    reason: 'not_a_number',
  })
  assert.deepEqual(steer(standing, { kind: 'rate', rate: Number.POSITIVE_INFINITY }, 0), {
    kind: 'rejected',
    reason: 'not_a_number',
  })
})

test('with any commands, the time never decreases', () => {
  const command = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), toMs: fc.integer({ min: 0, max: 10_000_000 }) }),
    fc.record({ kind: fc.constant('advance' as const), byMs: fc.integer({ min: -1_000, max: 100_000 }) }),
    fc.record({ kind: fc.constant('rate' as const), rate: fc.integer({ min: -2, max: 1_000 }) }),
  ) satisfies fc.Arbitrary<SteerCommand>
  const step = fc.record({ command, waitMs: fc.integer({ min: 0, max: 5_000 }) })

  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let course = standing
      let realMs = 1_000
      let shown = courseAt(course, realMs)
      for (const { command, waitMs } of steps) {
        realMs += waitMs
        const result = steer(course, command, realMs)
        if (result.kind === 'steered') course = result.course
        const next = courseAt(course, realMs)
        assert.ok(next >= shown)
        shown = next
      }
    }),
  )
})
