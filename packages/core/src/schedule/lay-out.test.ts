import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aFiller,
  anUnready,
  aPod,
  aProgram,
  at,
  aVideo,
  describeLayout,
  layOutSeconds,
  someSlates,
  ticks,
} from './testing/a-schedule.ts'

test('items follow one another without a gap, and time fill takes the rest of the window', () => {
  const program = aProgram(0, 60, aVideo('one', 32), aVideo('two', 16))

  const layout = layOutSeconds(0, 60, [program])

  assert.deepEqual(describeLayout(layout), ['0.0 one 0+10', '32.0 two 0+5', '48.0 fill 0+8'])
  assert.deepEqual(layout.warnings, [])
})

test('a layout begins at any tick, and the program after a gap begins at the boundary nearest to its start', () => {
  const programs = [aProgram(10, 42, aVideo('one', 32))]

  assert.deepEqual(describeLayout(layOutSeconds(1.3, 42, programs)), [
    '1.3 fill 0+5',
    '9.3 one 0+10',
    '41.3 fill 0+1',
  ])
  assert.deepEqual(describeLayout(layOutSeconds(1.1, 42, programs)).slice(0, 2), [
    '1.1 fill 0+6',
    '10.7 one 0+10',
  ])
})

test('a gap of less than half a segment is not filled, and one of half a segment is', () => {
  const programs = [aProgram(10, 42, aVideo('one', 32))]

  assert.equal(describeLayout(layOutSeconds(9.21, 42, programs))[0], '9.2 one 0+10')
  assert.deepEqual(describeLayout(layOutSeconds(9.2, 42, programs)).slice(0, 2), [
    '9.2 fill 0+1',
    '10.8 one 0+10',
  ])
})

test('each placement contains its airing', () => {
  const { referenceId, title } = aVideo('one', 32)
  const scheduled = aProgram(16, 80, { ...aVideo('one', 32), type: 'INTERSTITIAL' }, aPod(16))

  const { placements } = layOutSeconds(0, 80, [scheduled])

  const { program } = scheduled
  const fill = { type: 'TIME_FILL', referenceId: null, title: '' }
  assert.deepEqual(
    placements.map((placement) => placement.airing),
    [
      { ...fill, program: null, component: 0 },
      { program, component: 0, type: 'INTERSTITIAL', referenceId, title },
      { program, component: 1, type: 'AD_POD', referenceId: null, title: '' },
      { ...fill, program, component: 2 },
    ],
  )
})

test('a pod is the looped ad slate, rounded up to whole segments, with the length of its break', () => {
  const { placements } = layOutSeconds(0, 60, [aProgram(0, 60, aPod(20), aVideo('one', 32))])

  assert.deepEqual(describeLayout({ placements, warnings: [] }), [
    '0.0 ad 0+13',
    '20.8 one 0+10',
    '52.8 fill 0+5',
  ])
  assert.equal(placements[0]?.show.isLooped, true)
  assert.deepEqual(
    placements.map((placement) => placement.adBreakTicks),
    [ticks(20.8), null, null],
  )
})

test('items that exceed the window are cut at a segment boundary, and a slate fills the rest', () => {
  const program = aProgram(0, 30, aVideo('one', 32), aVideo('two', 16))

  const layout = layOutSeconds(0, 30, [program])

  assert.deepEqual(describeLayout(layout), ['0.0 one 0+9', '28.8 fill 0+1'])
  assert.deepEqual(layout.warnings, [
    { code: 'item_left_out', programId: 'from 0', item: 1, ticks: ticks(16) },
    { code: 'item_cut', programId: 'from 0', item: 0, ticks: ticks(3.2) },
  ])
})

test('an item whose first segment does not fit is left out', () => {
  const layout = layOutSeconds(0, 34, [aProgram(0, 34, aVideo('one', 32), aVideo('two', 16))])

  assert.deepEqual(describeLayout(layout), ['0.0 one 0+10', '32.0 fill 0+1', '33.6 fill 0+1'])
  assert.deepEqual(layout.warnings, [
    { code: 'item_left_out', programId: 'from 0', item: 1, ticks: ticks(16) },
  ])
})

test('an item that would begin at the end of the window is left out, ready or not', () => {
  const { warnings } = layOutSeconds(0, 60, [aProgram(0, 32, aVideo('one', 32), anUnready('late', 16))])

  assert.deepEqual(warnings, [{ code: 'item_left_out', programId: 'from 0', item: 1, ticks: ticks(16) }])
})

test('a layout that starts after a cut item repeats the warning', () => {
  const { warnings } = layOutSeconds(28.8, 30, [aProgram(0, 30, aVideo('one', 32))])

  assert.deepEqual(warnings, [{ code: 'item_cut', programId: 'from 0', item: 0, ticks: ticks(3.2) }])
})

test('programs outside of the layout cause no warnings', () => {
  const tooLong = [aVideo('one', 32), aVideo('two', 32)]
  const programs = [aProgram(0, 32, ...tooLong), aProgram(64, 96, ...tooLong)]

  assert.deepEqual(layOutSeconds(31.5, 60, programs, someSlates(aFiller('a', 64))).warnings, [])
})

test('all items of a program that is too short to be shown are left out', () => {
  const short = aProgram(5, 5.5, aVideo('one', 1.6), aVideo('two', 16))

  const layout = layOutSeconds(0, 20, [short, aProgram(5.5, 20, aVideo('three', 14))])

  assert.deepEqual(describeLayout(layout), ['0.0 fill 0+3', '4.8 three 0+4', '18.8 fill 0+1'])
  assert.deepEqual(layout.warnings, [
    { code: 'item_left_out', programId: 'from 5', item: 0, ticks: ticks(1.6) },
    { code: 'item_left_out', programId: 'from 5', item: 1, ticks: ticks(16) },
  ])
})

test('an item that would begin in the last 0.8 s of a program is left out', () => {
  const items = [aVideo('one', 31.5), aVideo('two', 16)]

  const { warnings } = layOutSeconds(31.5, 60, [aProgram(0, 32, ...items), aProgram(32, 90, aPod(56))])

  assert.deepEqual(warnings, [{ code: 'item_left_out', programId: 'from 0', item: 1, ticks: ticks(16) }])
})

test('an item may exceed the window by half a segment of a slate without a warning', () => {
  const programs = [aProgram(0, 31.2, aVideo('one', 32)), aProgram(31.2, 63.2, aVideo('two', 32))]

  const layout = layOutSeconds(0, 60, programs)

  assert.deepEqual(describeLayout(layout), ['0.0 one 0+10', '32.0 two 0+10'])
  assert.deepEqual(layout.warnings, [])
})

test('no item is shown after a cut item, even if its first segment would fit', () => {
  const layout = layOutSeconds(0, 30, [aProgram(0, 30, aVideo('one', 29, 6_400), aVideo('two', 16, 1_600))])
  const cut = layOutSeconds(2.4, 30, [aProgram(0, 30, aVideo('one', 29, 6_400), aVideo('two', 1.6, 1_600))])

  assert.deepEqual(describeLayout(layout), ['0.0 one 0+5', '29.0 two 0+1'])
  assert.deepEqual(describeLayout(cut), ['2.4 one 0+4', '28.0 fill 0+1', '29.6 fill 0+1'])
  assert.deepEqual(
    cut.warnings.map(({ code, item }) => [code, item]),
    [
      ['item_cut', 0],
      ['item_left_out', 1],
    ],
  )
})

test('a pod that exceeds the window is cut, and its break has the remaining length', () => {
  const { placements } = layOutSeconds(0, 40, [aProgram(0, 40, aVideo('one', 32), aPod(30))])

  assert.deepEqual(describeLayout({ placements, warnings: [] }), ['0.0 one 0+10', '32.0 ad 0+5'])
  assert.equal(placements[1]?.adBreakTicks, ticks(8))
})

test('an item that is not ready is replaced by time fill of its declared length, as one component', () => {
  const program = aProgram(0, 130, anUnready('late', 65), aVideo('one', 64))

  const layout = layOutSeconds(0, 129, [program], someSlates(aFiller('a', 40)))

  assert.deepEqual(describeLayout(layout), ['0.0 a 0+13', '40.0 fill 0+16', '65.6 one 0+20'])
  assert.deepEqual(
    layout.placements.map(({ airing }) => [airing.component, airing.type, airing.referenceId]),
    [
      [0, 'TIME_FILL', 'a'],
      [0, 'TIME_FILL', null],
      [1, 'VIDEO', 'one'],
    ],
  )
  assert.deepEqual(layout.warnings, [
    { code: 'item_not_ready', programId: 'from 0', item: 0, ticks: ticks(65) },
  ])
})

test('everything at the end of the layout runs to its own end, except a slate outside of programs', () => {
  const slates = someSlates(aFiller('a', 40))

  assert.deepEqual(describeLayout(layOutSeconds(0, 5, [aProgram(0, 64, aVideo('one', 32))])), [
    '0.0 one 0+10',
  ])
  assert.deepEqual(describeLayout(layOutSeconds(0, 5, [aProgram(0, 64, aPod(32))])), ['0.0 ad 0+20'])
  assert.deepEqual(describeLayout(layOutSeconds(0, 5, [aProgram(0, 16)])), ['0.0 fill 0+10'])
  assert.deepEqual(describeLayout(layOutSeconds(0, 5, [aProgram(500, 600)], slates)), ['0.0 a 0+13'])
  assert.deepEqual(describeLayout(layOutSeconds(0, 5, [aProgram(20, 40)])), ['0.0 fill 0+4'])
})

test('the layout reaches its end without programs, and if the last window ends slightly early', () => {
  assert.deepEqual(describeLayout(layOutSeconds(0, 16.1, [])), ['0.0 fill 0+11'])
  assert.deepEqual(describeLayout(layOutSeconds(0, 32.5, [aProgram(0, 32.5, aVideo('one', 32))])), [
    '0.0 one 0+10',
    '32.0 fill 0+1',
  ])
})

test('an empty range gives an empty layout', () => {
  assert.deepEqual(layOutSeconds(7, 7, [aProgram(0, 64, aVideo('one', 32))]), {
    placements: [],
    warnings: [],
  })
})

test('programs that have ended are skipped', () => {
  const programs = [aProgram(0, 16, aVideo('one', 16)), aProgram(16, 32, aVideo('two', 16))]

  const { placements } = layOutSeconds(15.5, 32, programs)

  assert.equal(placements[0]?.startTicks, at(15.5))
  assert.deepEqual(describeLayout({ placements, warnings: [] }), ['15.5 two 0+5', '31.5 fill 0+1'])
})
