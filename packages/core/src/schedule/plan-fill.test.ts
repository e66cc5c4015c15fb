import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planFill } from './plan-fill.ts'
import {
  aFiller,
  aProgram,
  aVideo,
  describeLayout,
  layOutSeconds,
  ORIGIN_MS,
  someSlates,
  ticks,
} from './testing/a-schedule.ts'

// The gap at ORIGIN_MS begins with the first filler if there are at most six fillers.
const slates = someSlates(aFiller('a', 64), aFiller('b', 96), aFiller('c', 48))

const gapOf = (seconds: number, startMs = ORIGIN_MS) => ({
  startMs,
  ticks: ticks(seconds),
  wantedTicks: ticks(seconds),
})

const picks = (seconds: number, startMs?: number) =>
  planFill(gapOf(seconds, startMs), slates).fillers.map(({ filler, segments }) => [filler.title, segments])

test('a gap of less than 30 s is filled with the time fill slate only', () => {
  const { fillers, slate } = planFill(gapOf(29.9), slates)

  assert.deepEqual(fillers, [])
  assert.equal(slate.path, 'fill')
})

test('a gap of 30 s is long: it is filled with a filler, or with the rescue slate if there are no fillers', () => {
  assert.deepEqual(picks(30), [['a', 9]])

  const { slate, isLackingFillers } = planFill(gapOf(30), someSlates())
  assert.equal(slate.path, 'rescue')
  assert.equal(isLackingFillers, true)
})

test('fillers take turns, and one that does not fit is skipped for the next that does', () => {
  assert.deepEqual(picks(64 + 96 + 48 + 64 + 10), [
    ['a', 20],
    ['b', 30],
    ['c', 15],
    ['a', 20],
  ])
  assert.deepEqual(picks(64 + 50), [
    ['a', 20],
    ['c', 15],
  ])
})

test('a filler that fits to the tick is shown whole', () => {
  assert.deepEqual(picks(64), [['a', 20]])
})

test('if no filler fits, the next one is cut; less than 30 s is filled with the slate', () => {
  assert.deepEqual(picks(40), [['a', 12]])
  assert.deepEqual(picks(64 + 30), [
    ['a', 20],
    ['b', 9],
  ])
  assert.deepEqual(picks(64 + 29.9), [['a', 20]])
})

test('a gap one minute later begins with the next filler', () => {
  assert.deepEqual(picks(100, ORIGIN_MS + 60_000)[0], ['b', 30])
  assert.deepEqual(picks(100, ORIGIN_MS + 180_000)[0], ['a', 20])

  const { placements } = layOutSeconds(0, 200, [aProgram(0, 200, aVideo('one', 64))], slates)
  assert.equal(placements[1]?.airing.referenceId, 'b')
})

test('a gap is planned only as far as requested', () => {
  const year = { ...gapOf(365 * 86_400), wantedTicks: ticks(65) }

  assert.equal(planFill(year, slates).fillers.length, 2)
  assert.equal(planFill({ ...year, wantedTicks: ticks(64) }, slates).fillers.length, 1)
})

test('without fillers, the rescue slate is looped through a long gap, with a warning', () => {
  const layout = layOutSeconds(0, 100, [aProgram(40, 100)])

  assert.deepEqual(describeLayout(layout), ['0.0 rescue 0+25', '40.0 rescue 0+38'])
  assert.deepEqual(layout.warnings, [
    { code: 'no_filler', programId: null, item: null, ticks: ticks(40) },
    { code: 'no_filler', programId: 'from 40', item: null, ticks: ticks(60) },
  ])
})

test('components of a gap are numbered from 0 outside of programs, and from the number of items inside', () => {
  const { placements } = layOutSeconds(0, 300, [aProgram(120, 240)], slates)

  assert.deepEqual(
    placements.map(({ airing }) => [airing.program?.id, airing.component, airing.referenceId]),
    [
      [undefined, 0, 'a'],
      [undefined, 1, 'c'],
      [undefined, 2, null],
      ['from 120', 0, 'c'],
      ['from 120', 1, 'a'],
      ['from 120', 2, null],
      [undefined, 0, 'c'],
      [undefined, 1, null],
    ],
  )
})
