import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberPlacements } from '../planning/number-placements.ts'
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
  describeLayout,
  layOutSeconds,
  someSlates,
  ticks,
} from './testing/a-schedule.ts'

/** The span of placement `index`, cut to `segments` segments if given. */
function shownOf(placements: Parameters<typeof numberPlacements>[0], index: number, segments?: number): Span {
  const span = numberPlacements(placements, 0)[index]!
  return { ...span, segments: segments ?? span.segments }
}

const describeAfter = (before: Span, untilSeconds: number, program: ScheduledProgram, slates?: Slates) =>
  describeLayout(
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
  const { placements } = layOutSeconds(9.7, 199, [program])

  for (const index of placements.keys()) {
    const rest = describeLayout({ placements: placements.slice(index + 1), warnings: [] })
    assert.deepEqual(describeAfter(shownOf(placements, index), 199, program), rest)
  }
})

test('an item that becomes ready after its slot does not move the items that follow', () => {
  const late = anUnready('late', 96)
  const rest = [aVideo('two', 100), anUnready('later', 32), aPod(20), aVideo('three', 100)]
  const programWith = (item: ScheduledItem) => aProgram(0, 600, aVideo('one', 64), item, ...rest)
  const slates = someSlates(aFiller('a', 40), aFiller('b', 50))
  const { placements } = layOutSeconds(0, 599, [programWith(late)], slates)

  for (const index of [3, 4, 5, 6, 7]) {
    const before = shownOf(placements, index)
    for (const seconds of [96, 166, 400, 40, 1.6]) {
      const after = describeAfter(before, 599, programWith(withVideoOf(seconds, late)), slates)
      assert.deepEqual(
        after.slice(0, 7 - index),
        describeLayout({ placements: placements.slice(index + 1, 8), warnings: [] }),
      )
    }
  }
})

test('a newer package of the video on the air continues at the boundary nearest to what was shown', () => {
  const film = aVideo('film', 60)
  const { placements } = layOutSeconds(0, 60, [aProgram(0, 60, film)])
  const before = shownOf(placements, 0, 6)
  const repackaged = { ...film, media: aMedia('film in parts', 60, 3_200, [10.5, 20.2]) }

  const { placements: after } = layOut({
    fromTicks: endOfSpan(before),
    untilTicks: at(60),
    programs: [aProgram(0, 60, repackaged)],
    slates: someSlates(),
    before,
  })

  // 19.2 s were shown. 3 segments end at 10.5 s, 3 more at 20.2 s.
  assert.deepEqual(after[0]!.show, {
    kind: 'asset',
    media: repackaged.media,
    firstSegment: 6,
    isLooped: false,
  })
})

test('several items that become ready after their slots do not move the items that follow', () => {
  // The second slot ends 0.7 s off its time, because the slate has no shorter segments.
  const [first, second] = [anUnready('first', 96), anUnready('second', 63.3)]
  const rest = [aVideo('two', 100), anUnready('later', 25), aVideo('three', 100)]
  const programWith = (...items: readonly ScheduledItem[]) =>
    aProgram(0, 600, aVideo('one', 64), ...items, ...rest)
  const { placements } = layOutSeconds(0, 599, [programWith(first, second)])
  const index = placements.findIndex(({ airing }) => airing.referenceId === 'two')
  const following = describeLayout({ placements: placements.slice(index + 1, index + 3), warnings: [] })
  assert.deepEqual(following, ['324.0 fill 0+15', '348.0 three 0+31'])

  const changed = programWith(withVideoOf(166, first), withVideoOf(40, second))
  for (const segments of [1, 15, undefined]) {
    const after = describeAfter(shownOf(placements, index, segments), 599, changed)
    assert.deepEqual(after.slice(segments === undefined ? 0 : 1).slice(0, 2), following)
  }
})

test('an item that becomes ready during its slot takes the rest of it, and no earlier item is repeated', () => {
  const [first, late] = [anUnready('first', 64), anUnready('late', 64)]
  const { placements } = layOutSeconds(0, 300, [aProgram(0, 300, first, late, aVideo('one', 32))])
  const before = shownOf(placements, 1, 20)

  const inTime = aProgram(0, 300, first, withVideoOf(64, late), aVideo('one', 32))
  const both = aProgram(0, 300, aVideo('first', 128), withVideoOf(64, late), aVideo('one', 32))

  assert.deepEqual(describeAfter(before, 160, inTime), ['96.0 late 10+10', '128.0 one 0+10'])
  assert.deepEqual(describeAfter(before, 192, both), ['96.0 late 0+20', '160.0 one 0+10'])
})

test('a program whose items changed is joined by time', () => {
  const { placements } = layOutSeconds(0, 200, [aProgram(0, 200, aVideo('one', 64), aVideo('two', 64))])
  const changed = aProgram(0, 200, aVideo('new', 32), aVideo('one', 64), aVideo('two', 64))

  assert.equal(describeAfter(shownOf(placements, 0, 10), 200, changed)[0], '32.0 one 0+20')
  assert.equal(describeAfter(shownOf(placements, 1, 5), 200, changed)[0], '80.0 one 15+5')
})

test('a program other than the previous one starts with its first item', () => {
  const items = [aVideo('one', 32), aVideo('two', 32)]
  const { placements } = layOutSeconds(0, 64, [aProgram(0, 64, ...items)])

  assert.equal(describeAfter(shownOf(placements, 1), 128, aProgram(64, 128, ...items))[0], '64.0 one 0+10')
})

test('a continued slate stays in its loop and ends at its planned end', () => {
  const program = aProgram(0, 70, aVideo('one', 32), anUnready('late', 25), aVideo('two', 12))
  const { placements } = layOutSeconds(0, 69, [program])

  assert.deepEqual(describeLayout({ placements, warnings: [] }).slice(1, 3), [
    '32.0 fill 0+16',
    '57.6 two 0+4',
  ])
  assert.deepEqual(describeAfter(shownOf(placements, 1, 13), 69, program).slice(0, 2), [
    '52.8 fill 3+3',
    '57.6 two 0+4',
  ])
})

test('a slate that ends half a segment late counts as on time, even if it began in the middle of its loop', () => {
  // No segment is longer than the slate's, so the slate can be late by half a segment at most.
  const program = aProgram(0, 60, anUnready('late', 24.8), aVideo('two', 16, 1_600))
  const { placements } = layOutSeconds(0, 59, [program])
  const before = shownOf(placements, 0, 13)
  const params = { fromTicks: endOfSpan(before), untilTicks: at(59), programs: [program], before }
  const inLoop = layOut({ ...params, slates: someSlates() })

  const rest = describeAfter(shownOf(inLoop.placements, 0), 59, program)

  assert.deepEqual(describeLayout(inLoop).slice(0, 2), ['20.8 fill 3+3', '25.6 two 0+10'])
  assert.deepEqual(rest, describeLayout(inLoop).slice(1))
})

test('a slate that replaces another slate starts its loop from the beginning', () => {
  const program = aProgram(0, 20)
  const { placements } = layOutSeconds(0, 20, [program])
  const slates = { ...someSlates(), timeFill: someSlates().rescue }

  assert.deepEqual(describeAfter(shownOf(placements, 0, 3), 19, program, slates), ['4.8 rescue 0+10'])
})

test('a joined pod is continued at the right segment of its loop, however often the loop repeated', () => {
  const program = aProgram(0, 200, aVideo('one', 64), aPod(80), aVideo('two', 50))
  const { placements } = layOutSeconds(64 + 40.1, 199, [program])

  assert.deepEqual(describeLayout({ placements, warnings: [] }).slice(0, 2), [
    '104.1 ad 5+25',
    '144.1 two 0+16',
  ])
  assert.deepEqual(describeAfter(shownOf(placements, 0, 12), 199, program).slice(0, 2), [
    '123.3 ad 7+13',
    '144.1 two 0+16',
  ])
})

test('a pod whose slate is replaced by one with longer segments is not shorter than announced', () => {
  const program = aProgram(0, 200, aVideo('one', 64), aPod(80), aVideo('two', 50))
  const { placements } = layOutSeconds(0, 199, [program])
  const slates = { ...someSlates(), ad: aMedia('new', 16, 3_200) }

  assert.deepEqual(describeLayout({ placements, warnings: [] }).slice(1, 3), [
    '64.0 ad 0+50',
    '144.0 two 0+16',
  ])
  assert.deepEqual(describeAfter(shownOf(placements, 1, 13), 199, program, slates).slice(0, 2), [
    '84.8 new 1+19',
    '145.6 two 0+16',
  ])
})

test('a filler that is repeated in the slot of an unready item is continued at the right repetition', () => {
  const program = aProgram(0, 300, anUnready('late', 200), aVideo('one', 64))
  const slates = someSlates(aFiller('a', 40))
  const { placements } = layOutSeconds(9, 299, [program], slates)

  for (const index of [0, 1, 2, 3]) {
    const rest = describeLayout({ placements: placements.slice(index + 1), warnings: [] })
    assert.deepEqual(describeAfter(shownOf(placements, index), 299, program, slates), rest)
  }
})

test('after a cut item, one slate fills the rest of the window and no further item is shown', () => {
  const short = [anUnready('late', 1.6), aVideo('two', 1.6)]
  const program = aProgram(0, 31.2, aVideo('one', 29, 6_400), ...short)
  const { placements } = layOutSeconds(3.1, 31.2, [program])

  assert.deepEqual(describeLayout({ placements, warnings: [] }), ['3.1 one 0+4', '28.7 fill 0+2'])
  assert.equal(placements[1]?.airing.component, 3)
  assert.deepEqual(describeAfter(shownOf(placements, 1, 1), 31.2, program), ['30.3 fill 1+1'])
})

test('an item that is cut by the end of the window is not continued after the cut', () => {
  const program = aProgram(0, 30, aVideo('one', 32), aVideo('two', 16, 1_600))
  const before = shownOf(layOutSeconds(0, 30, [program]).placements, 0)

  const params = { fromTicks: endOfSpan(before), untilTicks: at(30), programs: [program], before }
  const layout = layOut({ ...params, slates: someSlates() })

  assert.deepEqual(describeLayout(layout), ['28.8 fill 0+1'])
  assert.deepEqual(layout.warnings.at(-1), {
    code: 'item_cut',
    programId: 'from 0',
    item: 0,
    ticks: ticks(3.2),
  })
})

test('an item that was shown early is not reported as left out at the end of its window', () => {
  const program = aProgram(0, 31.7, aVideo('one', 31, 6_400), aVideo('two', 3.3, 6_400))
  const { placements } = layOutSeconds(3.3, 31.2, [program])
  assert.deepEqual(describeLayout({ placements, warnings: [] }), ['3.3 one 1+4', '27.9 two 0+1'])
  const before = shownOf(placements, 1)

  const params = { fromTicks: endOfSpan(before), untilTicks: at(32), programs: [program], before }
  assert.deepEqual(layOut({ ...params, slates: someSlates() }).warnings, [])
})

test('all items of a program that is too short to be shown are left out, also after time without a program', () => {
  const before = shownOf(layOutSeconds(0, 5, [aProgram(20, 40)]).placements, 0, 3)
  assert.equal(before.airing.program, null)
  const short = aProgram(4, 5.5, aVideo('one', 16), aVideo('two', 16))

  // It ends 4.8 s after the origin: late by half a segment of the slate, which counts as on time.
  const params = { fromTicks: endOfSpan(before), untilTicks: at(6), programs: [short], before }
  const { warnings } = layOut({ ...params, slates: someSlates() })

  assert.deepEqual(
    warnings.map(({ code, item }) => [code, item]),
    [
      ['item_left_out', 0],
      ['item_left_out', 1],
    ],
  )
})
