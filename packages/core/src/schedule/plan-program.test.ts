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
  const { pieces } = layOutSeconds(0, WEEK, [week], slates)

  assert.ok(pieces.length > 150_000)
})

test('no more fillers are planned than are wanted, and they are the same as if all were', () => {
  const [few, many] = [planned(700), planned(7_000)]

  assert.ok(few.length < 250)
  assert.deepEqual(few.slice(0, -1), many.slice(0, few.length - 1))
})

test('no more is planned in place of an item that is not ready, and what follows keeps its time', () => {
  const components = planned(700, aProgram(0, WEEK, anUnready('late', 86_400), aVideo('two', 60)))

  assert.ok(components.length < 250)
  assert.equal(components.at(-2)?.beginTicks, ticks(86_400))
})

test('a program that was joined early does not run out of fillers before the end of the order', () => {
  for (let tenths = 0; tenths < 64; tenths += 1) {
    const program = aProgram(0, WEEK, aVideo('one', 64, 6_400))

    const { pieces } = layOutSeconds(6.4 + tenths / 10, 500, [program], slates)

    assert.ok(pieces.every(({ airing }) => airing.referenceId !== null))
  }
})

test('where a program is joined does not depend on how much is wanted', () => {
  const long = someSlates(aFiller('long', 100.1))
  const program = aProgram(0, 1_000, aVideo('one', 64), aVideo('two', 64))

  for (let tenths = 600; tenths < 680; tenths += 1) {
    const [first] = layOutSeconds(tenths / 10, tenths / 10 + 1, [program], long).pieces
    assert.deepEqual(first, layOutSeconds(tenths / 10, 1_000, [program], long).pieces[0])
  }
})
