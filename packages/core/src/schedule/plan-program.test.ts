import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planProgram } from './plan-program.ts'
import {
  aFiller,
  anUnready,
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
