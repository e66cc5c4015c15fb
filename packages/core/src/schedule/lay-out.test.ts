import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aFiller,
  anUnready,
  aPod,
  aProgram,
  at,
  aVideo,
  layOutSeconds,
  someSlates,
  ticks,
  told,
} from './testing/a-schedule.ts'

test('items follow one another without a gap, and time fill takes what is left of the window', () => {
  const program = aProgram(0, 60, aVideo('one', 32), aVideo('two', 16))

  const layout = layOutSeconds(0, 60, [program])

  assert.deepEqual(told(layout), ['0.0 one 0+10', '32.0 two 0+5', '48.0 fill 0+8'])
  assert.deepEqual(layout.warnings, [])
})

test('a layout begins at any tick, and the program after the gap begins at the boundary nearest to its time', () => {
  const programs = [aProgram(10, 42, aVideo('one', 32))]

  assert.deepEqual(told(layOutSeconds(1.3, 42, programs)), ['1.3 fill 0+5', '9.3 one 0+10', '41.3 fill 0+1'])
  assert.deepEqual(told(layOutSeconds(1.1, 42, programs)).slice(0, 2), ['1.1 fill 0+6', '10.7 one 0+10'])
})

test('a gap of less than half a segment is not filled, and one of half a segment is', () => {
  const programs = [aProgram(10, 42, aVideo('one', 32))]

  assert.equal(told(layOutSeconds(9.21, 42, programs))[0], '9.2 one 0+10')
  assert.deepEqual(told(layOutSeconds(9.2, 42, programs)).slice(0, 2), ['9.2 fill 0+1', '10.8 one 0+10'])
})

test('each piece says as what it is aired', () => {
  const { referenceId, title } = aVideo('one', 32)
  const scheduled = aProgram(16, 80, { ...aVideo('one', 32), type: 'INTERSTITIAL' }, aPod(16))

  const { pieces } = layOutSeconds(0, 80, [scheduled])

  const { program } = scheduled
  const fill = { type: 'TIME_FILL', referenceId: null, title: '' }
  assert.deepEqual(
    pieces.map((piece) => piece.airing),
    [
      { ...fill, program: null, component: 0 },
      { program, component: 0, type: 'INTERSTITIAL', referenceId, title },
      { program, component: 1, type: 'AD_POD', referenceId: null, title: '' },
      { ...fill, program, component: 2 },
    ],
  )
})

test('a pod is the ad slate looped, rounded up to whole segments, and says how long its break is', () => {
  const { pieces } = layOutSeconds(0, 60, [aProgram(0, 60, aPod(20), aVideo('one', 32))])

  assert.deepEqual(told({ pieces, warnings: [] }), ['0.0 ad 0+13', '20.8 one 0+10', '52.8 fill 0+5'])
  assert.equal(pieces[0]?.show.isLooped, true)
  assert.deepEqual(
    pieces.map((piece) => piece.adBreakTicks),
    [ticks(20.8), null, null],
  )
})

test('what exceeds the window is cut at a segment boundary, and the slate leads to the end', () => {
  const program = aProgram(0, 30, aVideo('one', 32), aVideo('two', 16))

  const layout = layOutSeconds(0, 30, [program])

  assert.deepEqual(told(layout), ['0.0 one 0+9', '28.8 fill 0+1'])
  assert.deepEqual(layout.warnings, [
    { code: 'item_left_out', programId: 'from 0', item: 1, ticks: ticks(16) },
    { code: 'item_cut', programId: 'from 0', item: 0, ticks: ticks(3.2) },
  ])
})

test('an item of which not even the first segment fits is left out', () => {
  const layout = layOutSeconds(0, 34, [aProgram(0, 34, aVideo('one', 32), aVideo('two', 16))])

  assert.deepEqual(told(layout), ['0.0 one 0+10', '32.0 fill 0+1', '33.6 fill 0+1'])
  assert.deepEqual(layout.warnings, [
    { code: 'item_left_out', programId: 'from 0', item: 1, ticks: ticks(16) },
  ])
})

test('an item that would begin where the window ends is left out, ready or not', () => {
  const { warnings } = layOutSeconds(0, 60, [aProgram(0, 32, aVideo('one', 32), anUnready('late', 16))])

  assert.deepEqual(warnings, [{ code: 'item_left_out', programId: 'from 0', item: 1, ticks: ticks(16) }])
})

test('whoever goes on behind an item that was cut is told the same again', () => {
  const { warnings } = layOutSeconds(28.8, 30, [aProgram(0, 30, aVideo('one', 32))])

  assert.deepEqual(warnings, [{ code: 'item_cut', programId: 'from 0', item: 0, ticks: ticks(3.2) }])
})

test('programs outside of the order are not warned of', () => {
  const tooLong = [aVideo('one', 32), aVideo('two', 32)]
  const programs = [aProgram(0, 32, ...tooLong), aProgram(64, 96, ...tooLong)]

  assert.deepEqual(layOutSeconds(31.5, 60, programs, someSlates(aFiller('a', 64))).warnings, [])
})

test('of a program that is too short to be shown all items are left out', () => {
  const short = aProgram(5, 5.5, aVideo('one', 1.6), aVideo('two', 16))

  const layout = layOutSeconds(0, 20, [short, aProgram(5.5, 20, aVideo('three', 14))])

  assert.deepEqual(told(layout), ['0.0 fill 0+3', '4.8 three 0+4', '18.8 fill 0+1'])
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

test('an item may reach past the window by half a segment of a slate, and nobody is warned', () => {
  const programs = [aProgram(0, 31.2, aVideo('one', 32)), aProgram(31.2, 63.2, aVideo('two', 32))]

  const layout = layOutSeconds(0, 60, programs)

  assert.deepEqual(told(layout), ['0.0 one 0+10', '32.0 two 0+10'])
  assert.deepEqual(layout.warnings, [])
})

test('after an item that was cut no other is shown, even where its first segment would fit', () => {
  const layout = layOutSeconds(0, 30, [aProgram(0, 30, aVideo('one', 29, 6_400), aVideo('two', 16, 1_600))])
  const cut = layOutSeconds(2.4, 30, [aProgram(0, 30, aVideo('one', 29, 6_400), aVideo('two', 1.6, 1_600))])

  assert.deepEqual(told(layout), ['0.0 one 0+5', '29.0 two 0+1'])
  assert.deepEqual(told(cut), ['2.4 one 0+4', '28.0 fill 0+1', '29.6 fill 0+1'])
  assert.deepEqual(
    cut.warnings.map(({ code, item }) => [code, item]),
    [
      ['item_cut', 0],
      ['item_left_out', 1],
    ],
  )
})

test('a pod in which the window ends is cut, and its break is as long as what is left of it', () => {
  const { pieces } = layOutSeconds(0, 40, [aProgram(0, 40, aVideo('one', 32), aPod(30))])

  assert.deepEqual(told({ pieces, warnings: [] }), ['0.0 one 0+10', '32.0 ad 0+5'])
  assert.equal(pieces[1]?.adBreakTicks, ticks(8))
})

test('an item that is not ready is replaced by time fill of its declared length, as its one component', () => {
  const program = aProgram(0, 130, anUnready('late', 65), aVideo('one', 64))

  const layout = layOutSeconds(0, 129, [program], someSlates(aFiller('a', 40)))

  assert.deepEqual(told(layout), ['0.0 a 0+13', '40.0 fill 0+16', '65.6 one 0+20'])
  assert.deepEqual(
    layout.pieces.map(({ airing }) => [airing.component, airing.type, airing.referenceId]),
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

test('all runs to its own end where the order ends, but for a slate in time that no program covers', () => {
  const slates = someSlates(aFiller('a', 40))

  assert.deepEqual(told(layOutSeconds(0, 5, [aProgram(0, 64, aVideo('one', 32))])), ['0.0 one 0+10'])
  assert.deepEqual(told(layOutSeconds(0, 5, [aProgram(0, 64, aPod(32))])), ['0.0 ad 0+20'])
  assert.deepEqual(told(layOutSeconds(0, 5, [aProgram(0, 16)])), ['0.0 fill 0+10'])
  assert.deepEqual(told(layOutSeconds(0, 5, [aProgram(500, 600)], slates)), ['0.0 a 0+13'])
  assert.deepEqual(told(layOutSeconds(0, 5, [aProgram(20, 40)])), ['0.0 fill 0+4'])
})

test('the end of the order is reached, also where nothing is scheduled or the last window ends a little early', () => {
  assert.deepEqual(told(layOutSeconds(0, 16.1, [])), ['0.0 fill 0+11'])
  assert.deepEqual(told(layOutSeconds(0, 32.5, [aProgram(0, 32.5, aVideo('one', 32))])), [
    '0.0 one 0+10',
    '32.0 fill 0+1',
  ])
})

test('an order that ends where it begins gives nothing', () => {
  assert.deepEqual(layOutSeconds(7, 7, [aProgram(0, 64, aVideo('one', 32))]), { pieces: [], warnings: [] })
})

test('programs that are over are passed by', () => {
  const programs = [aProgram(0, 16, aVideo('one', 16)), aProgram(16, 32, aVideo('two', 16))]

  const { pieces } = layOutSeconds(15.5, 32, programs)

  assert.equal(pieces[0]?.startTicks, at(15.5))
  assert.deepEqual(told({ pieces, warnings: [] }), ['15.5 two 0+5', '31.5 fill 0+1'])
})
