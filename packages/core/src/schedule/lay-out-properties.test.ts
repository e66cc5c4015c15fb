import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ticksOf } from '../time/ticks.ts'
import { loopOf } from '../timeline/media.ts'
import { numberPieces } from '../timeline/number-pieces.ts'
import {
  type AssetShow,
  endOfSpan,
  offsetOf,
  type Span,
  startOfSegment,
  type WindowedProgram,
} from '../timeline/span.ts'
import { type LayoutOrder, layOut } from './lay-out.ts'
import type { Piece } from './piece.ts'
import type { ScheduledItem, ScheduledProgram } from './scheduled-program.ts'
import { NEAR_TICKS } from './slate.ts'
import { aPod, aProgram, at, aVideo, endOf, someSlates } from './testing/a-schedule.ts'
import { anOrder, joined } from './testing/an-order.ts'

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
    fc.property(joined(anOrder()), (order) => {
      const program = programAt(order)
      const { pieces } = layOut({ ...order, untilTicks: ticksOf(program.endMs + 60_000) })

      const last = pieces.findLast((piece) => piece.airing.program === program)
      assert.ok(Math.abs(endOf(last!) - ticksOf(program.endMs)) <= NEAR_TICKS)
    }),
    RUNS,
  )
})

test('whoever goes on from what was shown of a program shows the rest of it, wherever it was joined', () => {
  fc.assert(
    fc.property(fc.oneof(joined(anOrder()), anOrder()), fc.nat(1_000), (order, number) => {
      const { pieces } = layOut(order)

      for (const [index, piece] of pieces.entries()) {
        if (piece.airing.program === null) continue
        const shown = 1 + (number % piece.segments)
        const before = { ...numberPieces([piece], 0)[0]!, segments: shown }
        const rest = [...restOf(piece, shown), ...pieces.slice(index + 1)]
        if (rest[0]?.airing.program !== piece.airing.program) continue
        assert.deepEqual(layOut({ ...order, fromTicks: endOfSpan(before), before }).pieces, rest)
      }
    }),
    RUNS,
  )
})

test('a program that is gone on from again and again, a segment at a time, is the same as in one go', () => {
  fc.assert(
    fc.property(joined(anOrder()), (order) => {
      const whole = numberPieces(layOut(order).pieces, 0)
      let before: Span | undefined
      let fromTicks = order.fromTicks

      for (const span of whole) {
        if (span.airing.program === null || span.airing.program !== whole[0]!.airing.program) break
        for (let at = 0; at < span.segments; at += 1) {
          const { pieces } = layOut({ ...order, fromTicks, untilTicks: fromTicks + 1, before })
          const [first] = numberPieces(pieces, span.firstSequence + at, before)
          before = { ...first!, segments: 1 }
          fromTicks = endOfSpan(before)
          assert.deepEqual(before, segmentOf(span, at))
        }
      }
    }),
    { numRuns: 60 },
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

/** The one that the order begins in. */
const programAt = ({ fromTicks, programs }: LayoutOrder): WindowedProgram =>
  programs.findLast(({ program }) => ticksOf(program.startMs) <= fromTicks)!.program

/** The piece without its first segments; nothing where these are all. */
function restOf(piece: Piece, shown: number): readonly Piece[] {
  const { startTicks, show, segments, adBreakTicks } = piece
  if (shown === segments) return []
  const next = show.firstSegment + shown
  const goneTicks = offsetOf(piece, shown)
  return [
    {
      ...piece,
      startTicks: startTicks + goneTicks,
      segments: segments - shown,
      show: { ...show, firstSegment: show.isLooped ? next % loopOf(show.media).segments : next },
      adBreakTicks: adBreakTicks === null ? null : adBreakTicks - goneTicks,
    },
  ]
}

function segmentOf(span: Span, at: number): Span {
  const show = span.show as AssetShow
  const number = show.firstSegment + at
  return {
    ...span,
    startTicks: startOfSegment(span, at),
    segments: 1,
    firstSequence: span.firstSequence + at,
    discontinuity: 0,
    show: { ...show, firstSegment: show.isLooped ? number % loopOf(show.media).segments : number },
  }
}
