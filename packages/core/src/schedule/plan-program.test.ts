import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lengthsOf, planProgram } from './plan-program.ts'
import { NEAR_TICKS } from './slate.ts'
import {
  aFiller,
  anUnready,
  aPod,
  aProgram,
  aVideo,
  layOutSeconds,
  someSlates,
  ticks,
} from './testing/a-schedule.ts'

const WEEK = 7 * 86_400

const slates = someSlates(aFiller('a', 2), aFiller('b', 3), aFiller('c', 5))
const week = aProgram(0, WEEK, aVideo('one', 60))
const planned = (wantedSeconds: number, program = week) =>
  planProgram(program, slates, { wantedTicks: ticks(wantedSeconds), lateTicks: 0 }).components

test('a week of short fillers is laid out', () => {
  const { placements } = layOutSeconds(0, WEEK, [week], slates)

  assert.ok(placements.length > 150_000)
})

test('only the requested number of fillers is planned, and they equal those of a complete plan', () => {
  const [few, many] = [planned(700), planned(7_000)]

  assert.ok(few.length < 250)
  assert.deepEqual(few.slice(0, -1), many.slice(0, few.length - 1))
})

test('fillers in the slot of an unready item are limited too, and the items after it keep their times', () => {
  const components = planned(700, aProgram(0, WEEK, anUnready('late', 86_400), aVideo('two', 60)))

  assert.ok(components.length < 250)
  assert.equal(components.at(-2)?.beginTicks, ticks(86_400))
})

test('a program that was joined early does not run out of fillers before the end of the layout', () => {
  for (let tenths = 0; tenths < 64; tenths += 1) {
    const program = aProgram(0, WEEK, aVideo('one', 64, 6_400))

    const { placements } = layOutSeconds(6.4 + tenths / 10, 500, [program], slates)

    assert.ok(placements.every(({ airing }) => airing.referenceId !== null))
  }
})

test('the joint of a program does not depend on how much is planned', () => {
  const long = someSlates(aFiller('long', 100.1))
  const program = aProgram(0, 1_000, aVideo('one', 64), aVideo('two', 64))

  for (let tenths = 600; tenths < 680; tenths += 1) {
    const [first] = layOutSeconds(tenths / 10, tenths / 10 + 1, [program], long).placements
    assert.deepEqual(first, layOutSeconds(tenths / 10, 1_000, [program], long).placements[0])
  }
})

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
