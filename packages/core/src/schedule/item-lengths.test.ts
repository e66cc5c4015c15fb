import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lengthsOf } from './item-lengths.ts'
import { NEAR_TICKS } from './slate.ts'
import { anUnready, aPod, aProgram, aVideo, layOutSeconds, someSlates, ticks } from './testing/a-schedule.ts'

const { ad } = someSlates()

const podsIn = (roomSeconds: number, ...seconds: readonly number[]) =>
  lengthsOf(seconds.map(aPod), ticks(roomSeconds), ad).map((length) => length / 90_000)

test('pods are rounded up while there is room', () => {
  assert.deepEqual(podsIn(100, 15, 30, 20), [16, 30.4, 20.8])
  assert.deepEqual(podsIn(46.4, 15, 30), [16, 30.4])
})

test('without room, pods are rounded down, and the next pod gets the remainder', () => {
  assert.deepEqual(podsIn(60, 15, 15, 15, 15), [14.4, 14.4, 16, 14.4])
})

test('room that one pod used is not taken from the pods that follow', () => {
  assert.deepEqual(podsIn(61, 15, 15, 15, 15), [16, 14.4, 14.4, 16])
})

test('a pod has one segment at least', () => {
  assert.deepEqual(podsIn(1, 0, 0.1, 0.2), [1.6, 1.6, 1.6])
})

test('a ready video has its real length, an unready one its declared length', () => {
  const items = [{ ...aVideo('one', 32), declaredTicks: 1 }, anUnready('late', 31)]

  assert.deepEqual(lengthsOf(items, 0, ad), [ticks(32), ticks(31)])
})

test('any number of pods never exceed the room together, and fall short of it by less than a segment', () => {
  const anyPods = fc.array(fc.integer({ min: 16, max: 1_200 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(anyPods, fc.integer({ min: -300, max: 300 }), (tenths, slackTenths) => {
      const requested = tenths.reduce((sum, it) => sum + it, 0)
      const pods = tenths.map((it) => aPod(it / 10))

      const lengths = lengthsOf(pods, ticks((requested + slackTenths) / 10), ad)

      const sum = lengths.reduce((total, it) => total + it, 0)
      assert.ok(sum <= ticks((requested + Math.max(0, slackTenths)) / 10))
      assert.ok(sum > ticks(requested / 10) - 2 * NEAR_TICKS)
    }),
  )
})

test('no item is cut if all items fit as declared', () => {
  for (const [pods, seconds] of [
    [12, 15],
    [10, 30],
    [8, 61],
    [40, 17],
  ] as const) {
    const parts = Array.from({ length: pods }, (_, at) => [aVideo(`part ${at}`, 40), aPod(seconds)])
    const program = aProgram(0, pods * (40 + seconds) + 40, ...parts.flat(), aVideo('end', 40))

    assert.deepEqual(
      layOutSeconds(0, 3_600, [program], someSlates()).warnings.map(({ code }) => code),
      ['no_filler'],
    )
  }
})
