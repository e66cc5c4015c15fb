import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberPieces } from '../timeline/number-pieces.ts'
import { endOfSpan, type Span } from '../timeline/span.ts'
import { layOut } from './lay-out.ts'
import type { ScheduledItem, ScheduledProgram, Slates } from './scheduled-program.ts'
import {
  aFiller,
  aMedia,
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

/** What is shown of a layout up to so many segments of its piece `index`. */
function shownOf(pieces: Parameters<typeof numberPieces>[0], index: number, segments?: number): Span {
  const span = numberPieces(pieces, 0)[index]!
  return { ...span, segments: segments ?? span.segments }
}

const toldAfter = (before: Span, untilSeconds: number, program: ScheduledProgram, slates?: Slates) =>
  told(
    layOut({
      fromTicks: endOfSpan(before),
      untilTicks: at(untilSeconds),
      programs: [program],
      slates: slates ?? someSlates(),
      before,
    }),
  )

const withVideoOf = (seconds: number, item: ScheduledItem): ScheduledItem => ({
  ...aVideo('late', seconds),
  declaredTicks: item.declaredTicks,
})

test('items that begin and end within half a segment are neither repeated nor skipped', () => {
  const items = ['a', 'b', 'c', 'd'].map((name) => aVideo(name, 1.6, 6_400))
  const program = aProgram(0, 200, aVideo('one', 65, 6_400), ...items, aVideo('two', 64, 6_400))
  const { pieces } = layOutSeconds(9.7, 199, [program])

  for (const index of pieces.keys()) {
    const rest = told({ pieces: pieces.slice(index + 1), warnings: [] })
    assert.deepEqual(toldAfter(shownOf(pieces, index), 199, program), rest)
  }
})

test('an item that became ready after its slot does not move what follows', () => {
  const late = anUnready('late', 96)
  const rest = [aVideo('two', 100), anUnready('later', 32), aPod(20), aVideo('three', 100)]
  const programWith = (item: ScheduledItem) => aProgram(0, 600, aVideo('one', 64), item, ...rest)
  const slates = someSlates(aFiller('a', 40), aFiller('b', 50))
  const { pieces } = layOutSeconds(0, 599, [programWith(late)], slates)

  for (const index of [3, 4, 5, 6, 7]) {
    const before = shownOf(pieces, index)
    for (const seconds of [96, 166, 400, 40, 1.6]) {
      const after = toldAfter(before, 599, programWith(withVideoOf(seconds, late)), slates)
      assert.deepEqual(after.slice(0, 7 - index), told({ pieces: pieces.slice(index + 1, 8), warnings: [] }))
    }
  }
})

test('several items that became ready after their slots do not move what follows either', () => {
  // The second slot ends 0.7 s beside its time, because the slate has no shorter segments.
  const [first, second] = [anUnready('first', 96), anUnready('second', 63.3)]
  const rest = [aVideo('two', 100), anUnready('later', 25), aVideo('three', 100)]
  const programWith = (...items: readonly ScheduledItem[]) =>
    aProgram(0, 600, aVideo('one', 64), ...items, ...rest)
  const { pieces } = layOutSeconds(0, 599, [programWith(first, second)])
  const index = pieces.findIndex(({ airing }) => airing.referenceId === 'two')
  const following = told({ pieces: pieces.slice(index + 1, index + 3), warnings: [] })
  assert.deepEqual(following, ['324.0 fill 0+15', '348.0 three 0+31'])

  const changed = programWith(withVideoOf(166, first), withVideoOf(40, second))
  for (const segments of [1, 15, undefined]) {
    const after = toldAfter(shownOf(pieces, index, segments), 599, changed)
    assert.deepEqual(after.slice(segments === undefined ? 0 : 1).slice(0, 2), following)
  }
})

test('an item that became ready in its slot takes the rest of it, and none before it is shown again', () => {
  const [first, late] = [anUnready('first', 64), anUnready('late', 64)]
  const { pieces } = layOutSeconds(0, 300, [aProgram(0, 300, first, late, aVideo('one', 32))])
  const before = shownOf(pieces, 1, 20)

  const inTime = aProgram(0, 300, first, withVideoOf(64, late), aVideo('one', 32))
  const both = aProgram(0, 300, aVideo('first', 128), withVideoOf(64, late), aVideo('one', 32))

  assert.deepEqual(toldAfter(before, 160, inTime), ['96.0 late 10+10', '128.0 one 0+10'])
  assert.deepEqual(toldAfter(before, 192, both), ['96.0 late 0+20', '160.0 one 0+10'])
})

test('where the items have changed a program is joined by time', () => {
  const { pieces } = layOutSeconds(0, 200, [aProgram(0, 200, aVideo('one', 64), aVideo('two', 64))])
  const changed = aProgram(0, 200, aVideo('new', 32), aVideo('one', 64), aVideo('two', 64))

  assert.equal(toldAfter(shownOf(pieces, 0, 10), 200, changed)[0], '32.0 one 0+20')
  assert.equal(toldAfter(shownOf(pieces, 1, 5), 200, changed)[0], '80.0 one 15+5')
})

test('of another program than the one before nothing is gone on with', () => {
  const items = [aVideo('one', 32), aVideo('two', 32)]
  const { pieces } = layOutSeconds(0, 64, [aProgram(0, 64, ...items)])

  assert.equal(toldAfter(shownOf(pieces, 1), 128, aProgram(64, 128, ...items))[0], '64.0 one 0+10')
})

test('a slate that is gone on with stays in its loop, and ends where it would have', () => {
  const program = aProgram(0, 70, aVideo('one', 32), anUnready('late', 25), aVideo('two', 12))
  const { pieces } = layOutSeconds(0, 69, [program])

  assert.deepEqual(told({ pieces, warnings: [] }).slice(1, 3), ['32.0 fill 0+16', '57.6 two 0+4'])
  assert.deepEqual(toldAfter(shownOf(pieces, 1, 13), 69, program).slice(0, 2), [
    '52.8 fill 3+3',
    '57.6 two 0+4',
  ])
})

test('a slate that ended half a segment after its time is in time, also where it began in the middle of its loop', () => {
  // No segment is longer than the slate's, so half of one is the most that the slate can be late.
  const program = aProgram(0, 60, anUnready('late', 24.8), aVideo('two', 16, 1_600))
  const { pieces } = layOutSeconds(0, 59, [program])
  const before = shownOf(pieces, 0, 13)
  const order = { fromTicks: endOfSpan(before), untilTicks: at(59), programs: [program], before }
  const inLoop = layOut({ ...order, slates: someSlates() })

  const rest = toldAfter(shownOf(inLoop.pieces, 0), 59, program)

  assert.deepEqual(told(inLoop).slice(0, 2), ['20.8 fill 3+3', '25.6 two 0+10'])
  assert.deepEqual(rest, told(inLoop).slice(1))
})

test('a slate in place of which another is shown now begins its loop anew', () => {
  const program = aProgram(0, 20)
  const { pieces } = layOutSeconds(0, 20, [program])
  const slates = { ...someSlates(), timeFill: someSlates().rescue }

  assert.deepEqual(toldAfter(shownOf(pieces, 0, 3), 19, program, slates), ['4.8 rescue 0+10'])
})

test('a pod that was joined is gone on with in its loop, however often that went round', () => {
  const program = aProgram(0, 200, aVideo('one', 64), aPod(80), aVideo('two', 50))
  const { pieces } = layOutSeconds(64 + 40.1, 199, [program])

  assert.deepEqual(told({ pieces, warnings: [] }).slice(0, 2), ['104.1 ad 5+25', '144.1 two 0+16'])
  assert.deepEqual(toldAfter(shownOf(pieces, 0, 12), 199, program).slice(0, 2), [
    '123.3 ad 7+13',
    '144.1 two 0+16',
  ])
})

test('a pod whose slate is replaced by one with longer segments is not shorter than it was announced', () => {
  const program = aProgram(0, 200, aVideo('one', 64), aPod(80), aVideo('two', 50))
  const { pieces } = layOutSeconds(0, 199, [program])
  const slates = { ...someSlates(), ad: aMedia('new', 16, 3_200) }

  assert.deepEqual(told({ pieces, warnings: [] }).slice(1, 3), ['64.0 ad 0+50', '144.0 two 0+16'])
  assert.deepEqual(toldAfter(shownOf(pieces, 1, 13), 199, program, slates).slice(0, 2), [
    '84.8 new 1+19',
    '145.6 two 0+16',
  ])
})

test('of a filler that is shown again and again in place of an item the right one goes on', () => {
  const program = aProgram(0, 300, anUnready('late', 200), aVideo('one', 64))
  const slates = someSlates(aFiller('a', 40))
  const { pieces } = layOutSeconds(9, 299, [program], slates)

  for (const index of [0, 1, 2, 3]) {
    const rest = told({ pieces: pieces.slice(index + 1), warnings: [] })
    assert.deepEqual(toldAfter(shownOf(pieces, index), 299, program, slates), rest)
  }
})

test('behind an item that was cut one slate leads to the end, and no item is shown from there on either', () => {
  const short = [anUnready('late', 1.6), aVideo('two', 1.6)]
  const program = aProgram(0, 31.2, aVideo('one', 29, 6_400), ...short)
  const { pieces } = layOutSeconds(3.1, 31.2, [program])

  assert.deepEqual(told({ pieces, warnings: [] }), ['3.1 one 0+4', '28.7 fill 0+2'])
  assert.equal(pieces[1]?.airing.component, 3)
  assert.deepEqual(toldAfter(shownOf(pieces, 1, 1), 31.2, program), ['30.3 fill 1+1'])
})

test('an item that the window ends in is not taken up behind its cut', () => {
  const program = aProgram(0, 30, aVideo('one', 32), aVideo('two', 16, 1_600))
  const before = shownOf(layOutSeconds(0, 30, [program]).pieces, 0)

  const order = { fromTicks: endOfSpan(before), untilTicks: at(30), programs: [program], before }
  const layout = layOut({ ...order, slates: someSlates() })

  assert.deepEqual(told(layout), ['28.8 fill 0+1'])
  assert.deepEqual(layout.warnings.at(-1), {
    code: 'item_cut',
    programId: 'from 0',
    item: 0,
    ticks: ticks(3.2),
  })
})

test('an item that was shown early is not reported as left out at the end of its window', () => {
  const program = aProgram(0, 31.7, aVideo('one', 31, 6_400), aVideo('two', 3.3, 6_400))
  const { pieces } = layOutSeconds(3.3, 31.2, [program])
  assert.deepEqual(told({ pieces, warnings: [] }), ['3.3 one 1+4', '27.9 two 0+1'])
  const before = shownOf(pieces, 1)

  const order = { fromTicks: endOfSpan(before), untilTicks: at(32), programs: [program], before }
  assert.deepEqual(layOut({ ...order, slates: someSlates() }).warnings, [])
})

test('after time that no program covers, all items of one that is too short to be shown are left out', () => {
  const before = shownOf(layOutSeconds(0, 5, [aProgram(20, 40)]).pieces, 0, 3)
  assert.equal(before.airing.program, null)
  const short = aProgram(4, 5.5, aVideo('one', 16), aVideo('two', 16))

  // It ends 4.8 s after the origin: half a segment of a slate late, which is as good as in time.
  const order = { fromTicks: endOfSpan(before), untilTicks: at(6), programs: [short], before }
  const { warnings } = layOut({ ...order, slates: someSlates() })

  assert.deepEqual(
    warnings.map(({ code, item }) => [code, item]),
    [
      ['item_left_out', 0],
      ['item_left_out', 1],
    ],
  )
})
