import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ticksOf } from '../time/ticks.ts'
import { type LayoutOrder, layOut } from './lay-out.ts'
import type { Piece } from './piece.ts'
import type { ScheduledItem, ScheduledProgram } from './scheduled-program.ts'
import { NEAR_TICKS } from './slate.ts'
import { aFiller, anUnready, aPod, aProgram, at, aVideo, endOf, someSlates } from './testing/a-schedule.ts'

const RUNS = { numRuns: 300 }

test('pieces follow one another from the beginning of the order to its end, and no further than the last needs', () => {
  fc.assert(
    fc.property(anOrder(), (order) => {
      const { pieces } = layOut(order)

      assert.equal(pieces[0]!.startTicks, order.fromTicks)
      assert.ok(pieces.every((piece, index) => index === 0 || piece.startTicks === endOf(pieces[index - 1]!)))
      assert.ok(pieces.every(({ segments }) => Number.isSafeInteger(segments) && segments > 0))
      assert.ok(pieces.at(-1)!.startTicks < order.untilTicks && endOf(pieces.at(-1)!) >= order.untilTicks)
    }),
    RUNS,
  )
})

test('every program begins within 0.8 s of its time', () => {
  fc.assert(
    fc.property(anOrder(), (order) => {
      const { pieces } = layOut(order)

      for (const { program } of reached(order)) {
        const first = pieces.find((piece) => piece.airing.program === program)
        assert.ok(Math.abs(first!.startTicks - ticksOf(program.startMs)) <= NEAR_TICKS)
      }
    }),
    RUNS,
  )
})

test('components come in their order, each but the fill of one item once and from its first segment', () => {
  fc.assert(
    fc.property(anOrder(), (order) => {
      const { pieces } = layOut(order)

      for (const { program, items } of reached(order)) {
        const own = pieces.filter((piece) => piece.airing.program === program)
        assert.ok(own.every((piece, index) => index === 0 || isAfter(piece, own[index - 1]!, items)))
        assert.ok(own.every(({ show }) => show.firstSegment === 0))
      }
    }),
    RUNS,
  )
})

test('the order in which programs are given makes no difference', () => {
  const anyShuffled = anOrder().chain((order) =>
    fc.tuple(
      fc.constant(order),
      fc.shuffledSubarray([...order.programs], { minLength: order.programs.length }),
    ),
  )
  fc.assert(
    fc.property(anyShuffled, ([order, programs]) => {
      assert.deepEqual(layOut({ ...order, programs }), layOut(order))
    }),
    RUNS,
  )
})

test('a layout that is taken up at a boundary inside a program goes on as the first one did', () => {
  fc.assert(
    fc.property(anOrder(), (order) => {
      const { pieces } = layOut(order)

      for (const [index, { airing, startTicks }] of pieces.entries()) {
        if (airing.program === null) continue
        assert.deepEqual(layOut({ ...order, fromTicks: startTicks }).pieces, pieces.slice(index))
      }
    }),
    RUNS,
  )
})

test('wherever a program is joined, its window ends within 0.8 s of its time', () => {
  fc.assert(
    fc.property(joined(anOrder()), ({ order, program }) => {
      const { pieces } = layOut({ ...order, untilTicks: ticksOf(program.endMs + 60_000) })

      const last = pieces.findLast((piece) => piece.airing.program === program)
      assert.ok(Math.abs(endOf(last!) - ticksOf(program.endMs)) <= NEAR_TICKS)
    }),
    RUNS,
  )
})

// Shorter ones begin and end within half a segment of one place, and which of both is meant cannot be known.
test('the layout of a program that was joined can be taken up as well, if no item is under 10 s', () => {
  fc.assert(
    fc.property(joined(anOrder(10)), ({ order, program }) => {
      const untilTicks = ticksOf(program.endMs - 10_000)
      const { pieces } = layOut({ ...order, untilTicks })

      for (const [index, { startTicks }] of pieces.entries()) {
        assert.deepEqual(layOut({ ...order, untilTicks, fromTicks: startTicks }).pieces, pieces.slice(index))
      }
    }),
    RUNS,
  )
})

test('a year of programs in one go begins each of them in time, the last as the first', () => {
  const items = [aVideo('one', 700.1), aPod(61), aVideo('two', 633.3), aPod(62), aVideo('three', 300.7)]
  const programs = Array.from({ length: 365 * 48 }, (_, half) =>
    aProgram(half * 1_800, half * 1_800 + 1_800, ...items),
  )

  const { pieces } = layOut({
    fromTicks: at(0),
    untilTicks: at(365 * 86_400),
    programs,
    slates: someSlates(),
  })

  const starts = pieces.filter(({ airing }) => airing.component === 0)
  assert.equal(starts.length, programs.length)
  const offs = starts.map(({ startTicks, airing }) => Math.abs(startTicks - ticksOf(airing.program!.startMs)))
  assert.ok(Math.max(...offs) <= NEAR_TICKS)
})

/** Those that begin and end within the order, a moment aside. */
const reached = ({ fromTicks, untilTicks, programs }: LayoutOrder): readonly ScheduledProgram[] =>
  programs.filter(
    ({ program }) => ticksOf(program.startMs) >= fromTicks && ticksOf(program.endMs + 1_000) <= untilTicks,
  )

function isAfter({ airing }: Piece, before: Piece, items: readonly ScheduledItem[]): boolean {
  const isFilledItem = items[airing.component]?.media === null && airing.type === 'TIME_FILL'
  const step = airing.component - before.airing.component
  return isFilledItem ? step >= 0 : step > 0
}

/** An order that begins in the middle of a program. */
function joined(orders: fc.Arbitrary<LayoutOrder>) {
  return fc.tuple(orders, fc.nat(1_000), fc.nat(1_000_000)).map(([order, number, millionths]) => {
    const { program } = order.programs[number % order.programs.length]!
    const roomTicks = ticksOf(program.endMs - program.startMs) - NEAR_TICKS
    const fromTicks = ticksOf(program.startMs) + Math.floor((millionths * roomTicks) / 1_000_000)
    return { order: { ...order, fromTicks }, program }
  })
}

function anOrder(itemSeconds = 1.6): fc.Arbitrary<LayoutOrder> {
  const anyFillers = fc.array(fc.integer({ min: 160, max: 1_200 }), { maxLength: 3 })
  return fc
    .record({
      lead: evenOrNot(0, 3_600_000, NEAR_TICKS),
      programs: fc.constantFrom(3_200 as const, 6_400 as const).chain((segmentMs) =>
        fc.array(fc.tuple(aGap(), evenOrNot(10_000, 400_000, 800), someItems(segmentMs, itemSeconds)), {
          minLength: 1,
          maxLength: 5,
        }),
      ),
      rest: fc.integer({ min: 1, max: 9_000_000 }),
      fillers: anyFillers,
    })
    .map(({ lead, programs, rest, fillers }) => {
      const placed = place(programs)
      const untilTicks = ticksOf(placed.at(-1)!.program.endMs) + rest
      const slates = someSlates(...fillers.map((tenths, index) => aFiller(`filler ${index}`, tenths / 10)))
      return { fromTicks: at(0) - lead, untilTicks, programs: placed, slates }
    })
}

/** Most programs follow one another at once. */
const aGap = () => fc.oneof(fc.constant(0), evenOrNot(0, 3_000, 800), fc.nat(200_000))

/** Half the time a multiple of half a GOP, where two boundaries are equally near. */
const evenOrNot = (min: number, max: number, half: number) =>
  fc.oneof(
    fc.integer({ min, max }),
    fc.integer({ min: Math.ceil(min / half), max: Math.floor(max / half) }).map((count) => count * half),
  )

function someItems(segmentMs: 3_200 | 6_400, itemSeconds: number): fc.Arbitrary<readonly ScheduledItem[]> {
  const frames = evenOrNot(itemSeconds * 30, 6_000, 24)
  const anItem = fc.oneof(
    { weight: 4, arbitrary: frames.map((count) => aVideo(`video ${count}`, count / 30, segmentMs)) },
    { weight: 1, arbitrary: fc.integer({ min: Math.ceil(itemSeconds), max: 100 }).map(aPod) },
    { weight: 1, arbitrary: frames.map((count) => anUnready('late', count / 30)) },
  )
  return fc.array(anItem, { maxLength: 6 })
}

function place(
  programs: readonly (readonly [gapMs: number, windowMs: number, items: readonly ScheduledItem[]])[],
): readonly ScheduledProgram[] {
  let atMs = 0
  return programs.map(([gapMs, windowMs, items]) => {
    const startMs = atMs + gapMs
    atMs = startMs + windowMs
    return aProgram(startMs / 1_000, atMs / 1_000, ...items)
  })
}
