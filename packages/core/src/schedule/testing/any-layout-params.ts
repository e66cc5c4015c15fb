import fc from 'fast-check'
import { ticksOf } from '../../time/ticks.ts'
import type { LayoutParams } from '../lay-out.ts'
import type { ScheduledItem, ScheduledProgram } from '../scheduled-program.ts'
import { NEAR_TICKS } from '../slate.ts'
import { aFiller, anUnready, aPod, aProgram, at, aVideo, someSlates } from './a-schedule.ts'

/** Parameters whose layout begins in the middle of a program. */
export function joined(anyParams: fc.Arbitrary<LayoutParams>): fc.Arbitrary<LayoutParams> {
  return fc.tuple(anyParams, fc.nat(1_000), fc.nat(1_000_000)).map(([params, number, millionths]) => {
    const { program } = params.programs[number % params.programs.length]!
    const roomTicks = ticksOf(program.endMs - program.startMs) - NEAR_TICKS
    const fromTicks = ticksOf(program.startMs) + Math.floor((millionths * roomTicks) / 1_000_000)
    return { ...params, fromTicks }
  })
}

/** Items of 1.6 s and more, in segments of either length, some of them in parts. */
export function anyLayoutParams(): fc.Arbitrary<LayoutParams> {
  const anyFillers = fc.array(fc.integer({ min: 160, max: 1_200 }), { maxLength: 3 })
  return fc
    .record({
      lead: evenOrNot(0, 3_600_000, NEAR_TICKS),
      programs: fc.constantFrom(3_200 as const, 6_400 as const).chain((segmentMs) =>
        fc.array(fc.tuple(aGap(), evenOrNot(10_000, 400_000, 800), someItems(segmentMs)), {
          minLength: 1,
          maxLength: 5,
        }),
      ),
      rest: fc.integer({ min: 1, max: 9_000_000 }),
      fillers: anyFillers,
    })
    .map(({ lead, programs, rest, fillers }) => {
      const placed = arrange(programs)
      const untilTicks = ticksOf(placed.at(-1)!.program.endMs) + rest
      const slates = someSlates(...fillers.map((tenths, index) => aFiller(`filler ${index}`, tenths / 10)))
      return { fromTicks: at(0) - lead, untilTicks, programs: placed, slates }
    })
}

/** Most programs follow one another without a gap. */
const aGap = () => fc.oneof(fc.constant(0), evenOrNot(0, 3_000, 800), fc.nat(200_000))

/** Half of the values are multiples of half a GOP, where two boundaries are equally near. */
const evenOrNot = (min: number, max: number, half: number) =>
  fc.oneof(
    fc.integer({ min, max }),
    fc.integer({ min: Math.ceil(min / half), max: Math.floor(max / half) }).map((count) => count * half),
  )

function someItems(segmentMs: 3_200 | 6_400): fc.Arbitrary<readonly ScheduledItem[]> {
  const frames = evenOrNot(48, 6_000, 24)
  const anItem = fc.oneof(
    { weight: 3, arbitrary: frames.map((count) => aVideo(`video ${count}`, count / 30, segmentMs)) },
    {
      weight: 2,
      arbitrary: fc.tuple(frames, fc.integer({ min: 300, max: 900 })).map(([count, cue]) => {
        const cues = [cue / 30, (2 * cue + 7) / 30]
        return aVideo(`video ${count} cut at ${cue}`, count / 30, segmentMs, cues)
      }),
    },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 100 }).map(aPod) },
    { weight: 1, arbitrary: frames.map((count) => anUnready('late', count / 30)) },
  )
  return fc.array(anItem, { maxLength: 6 })
}

function arrange(
  programs: readonly (readonly [gapMs: number, windowMs: number, items: readonly ScheduledItem[]])[],
): readonly ScheduledProgram[] {
  let atMs = 0
  return programs.map(([gapMs, windowMs, items]) => {
    const startMs = atMs + gapMs
    atMs = startMs + windowMs
    return aProgram(startMs / 1_000, atMs / 1_000, ...items)
  })
}
