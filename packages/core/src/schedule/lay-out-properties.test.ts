import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { loopOf } from '../media/media.ts'
import { numberPlacements } from '../planning/number-placements.ts'
import { ticksOf } from '../time/ticks.ts'
import {
  type AssetShow,
  endOfSpan,
  offsetOf,
  type Span,
  startOfSegment,
  type WindowedProgram,
} from '../timeline/span.ts'
import { type LayoutParams, layOut } from './lay-out.ts'
import type { Placement } from './placement.ts'
import type { ScheduledItem, ScheduledProgram } from './scheduled-program.ts'
import { NEAR_TICKS } from './slate.ts'
import { aPod, aProgram, at, aVideo, endOf, someSlates } from './testing/a-schedule.ts'
import { anyLayoutParams, joined } from './testing/any-layout-params.ts'

const RUNS = { numRuns: 300 }

test('placements are contiguous from the start of the layout to its end, and the last one reaches the end', () => {
  fc.assert(
    fc.property(anyLayoutParams(), (params) => {
      const { placements } = layOut(params)

      assert.equal(placements[0]!.startTicks, params.fromTicks)
      assert.ok(
        placements.every(
          (placement, index) => index === 0 || placement.startTicks === endOf(placements[index - 1]!),
        ),
      )
      assert.ok(placements.every(({ segments }) => Number.isSafeInteger(segments) && segments > 0))
      assert.ok(
        placements.at(-1)!.startTicks < params.untilTicks && endOf(placements.at(-1)!) >= params.untilTicks,
      )
    }),
    RUNS,
  )
})

test('every program begins within 0.8 s of its start', () => {
  fc.assert(
    fc.property(anyLayoutParams(), (params) => {
      const { placements } = layOut(params)

      for (const { program } of reached(params)) {
        const first = placements.find((placement) => placement.airing.program === program)
        assert.ok(Math.abs(first!.startTicks - ticksOf(program.startMs)) <= NEAR_TICKS)
      }
    }),
    RUNS,
  )
})

test('components are in order; each one but the fill of an item occurs once, from its first segment', () => {
  fc.assert(
    fc.property(anyLayoutParams(), (params) => {
      const { placements } = layOut(params)

      for (const { program, items } of reached(params)) {
        const own = placements.filter((placement) => placement.airing.program === program)
        assert.ok(own.every((placement, index) => index === 0 || isAfter(placement, own[index - 1]!, items)))
        assert.ok(own.every(({ show }) => show.firstSegment === 0))
      }
    }),
    RUNS,
  )
})

test('the order of the given programs makes no difference', () => {
  const anyShuffled = anyLayoutParams().chain((params) =>
    fc.tuple(
      fc.constant(params),
      fc.shuffledSubarray([...params.programs], { minLength: params.programs.length }),
    ),
  )
  fc.assert(
    fc.property(anyShuffled, ([params, programs]) => {
      assert.deepEqual(layOut({ ...params, programs }), layOut(params))
    }),
    RUNS,
  )
})

test('a layout that starts at a boundary inside a program equals the rest of the full layout', () => {
  fc.assert(
    fc.property(anyLayoutParams(), (params) => {
      const { placements } = layOut(params)

      for (const [index, { airing, startTicks }] of placements.entries()) {
        if (airing.program === null) continue
        assert.deepEqual(layOut({ ...params, fromTicks: startTicks }).placements, placements.slice(index))
      }
    }),
    RUNS,
  )
})

test('wherever a program is joined, its window ends within 0.8 s of its end', () => {
  fc.assert(
    fc.property(joined(anyLayoutParams()), (params) => {
      const program = programAt(params)
      const { placements } = layOut({ ...params, untilTicks: ticksOf(program.endMs + 60_000) })

      const last = placements.findLast((placement) => placement.airing.program === program)
      assert.ok(Math.abs(endOf(last!) - ticksOf(program.endMs)) <= NEAR_TICKS)
    }),
    RUNS,
  )
})

test('continuing after any shown segment of a program gives the rest of it, wherever it was joined', () => {
  fc.assert(
    fc.property(fc.oneof(joined(anyLayoutParams()), anyLayoutParams()), fc.nat(1_000), (params, number) => {
      const { placements } = layOut(params)

      for (const [index, placement] of placements.entries()) {
        if (placement.airing.program === null) continue
        const shown = 1 + (number % placement.segments)
        const before = { ...numberPlacements([placement], 0)[0]!, segments: shown }
        const rest = [...restOf(placement, shown), ...placements.slice(index + 1)]
        if (rest[0]?.airing.program !== placement.airing.program) continue
        assert.deepEqual(layOut({ ...params, fromTicks: endOfSpan(before), before }).placements, rest)
      }
    }),
    RUNS,
  )
})

test('a program that is laid out one segment at a time equals the program laid out in one call', () => {
  fc.assert(
    fc.property(joined(anyLayoutParams()), (params) => {
      const whole = numberPlacements(layOut(params).placements, 0)
      let before: Span | undefined
      let fromTicks = params.fromTicks

      for (const span of whole) {
        if (span.airing.program === null || span.airing.program !== whole[0]!.airing.program) break
        for (let at = 0; at < span.segments; at += 1) {
          const { placements } = layOut({ ...params, fromTicks, untilTicks: fromTicks + 1, before })
          const [first] = numberPlacements(placements, span.firstSequence + at, before)
          before = { ...first!, segments: 1 }
          fromTicks = endOfSpan(before)
          assert.deepEqual(before, segmentOf(span, at))
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('in a year of programs laid out in one call, the last one begins on time, as the first', () => {
  const items = [aVideo('one', 700.1), aPod(61), aVideo('two', 633.3), aPod(62), aVideo('three', 300.7)]
  const programs = Array.from({ length: 365 * 48 }, (_, half) =>
    aProgram(half * 1_800, half * 1_800 + 1_800, ...items),
  )

  const { placements } = layOut({
    fromTicks: at(0),
    untilTicks: at(365 * 86_400),
    programs,
    slates: someSlates(),
  })

  const starts = placements.filter(({ airing }) => airing.component === 0)
  assert.equal(starts.length, programs.length)
  const offs = starts.map(({ startTicks, airing }) => Math.abs(startTicks - ticksOf(airing.program!.startMs)))
  assert.ok(Math.max(...offs) <= NEAR_TICKS)
})

/** Programs that begin and end within the layout, with a margin of 1 s. */
const reached = ({ fromTicks, untilTicks, programs }: LayoutParams): readonly ScheduledProgram[] =>
  programs.filter(
    ({ program }) => ticksOf(program.startMs) >= fromTicks && ticksOf(program.endMs + 1_000) <= untilTicks,
  )

function isAfter({ airing }: Placement, before: Placement, items: readonly ScheduledItem[]): boolean {
  const isFilledItem = items[airing.component]?.media === null && airing.type === 'TIME_FILL'
  const step = airing.component - before.airing.component
  return isFilledItem ? step >= 0 : step > 0
}

/** The program that is on at the start of the layout. */
const programAt = ({ fromTicks, programs }: LayoutParams): WindowedProgram =>
  programs.findLast(({ program }) => ticksOf(program.startMs) <= fromTicks)!.program

/** The placement without its first segments; empty if none is left. */
function restOf(placement: Placement, shown: number): readonly Placement[] {
  const { startTicks, show, segments, adBreakTicks } = placement
  if (shown === segments) return []
  const next = show.firstSegment + shown
  const goneTicks = offsetOf(placement, shown)
  return [
    {
      ...placement,
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
