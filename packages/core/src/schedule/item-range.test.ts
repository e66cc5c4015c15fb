import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { numberPlacements } from '../planning/number-placements.ts'
import { layOut } from './lay-out.ts'
import { aPod, aProgram, at, aVideo, endOf, layOutSeconds, someSlates, ticks } from './testing/a-schedule.ts'

const film = aVideo('film', 100, 3_200, [20.5, 61])

test('a pod between two halves of a film cuts it at the cue point', () => {
  const items = [{ ...film, outMs: 61_000 }, aPod(16), { ...film, inMs: 61_000 }]
  const { placements, warnings } = layOutSeconds(0, 116, [aProgram(0, 116, ...items)])

  // 6 segments before 20.5 s, and 13 more before 61 s, the last of them with 2.1 s.
  assert.deepEqual(
    placements.map(({ airing, show, segments, startTicks }) => [
      airing.type,
      show.firstSegment,
      segments,
      startTicks - at(0),
    ]),
    [
      ['VIDEO', 0, 19, 0],
      ['AD_POD', 0, 10, ticks(61)],
      ['VIDEO', 19, 12, ticks(77)],
    ],
  )
  assert.equal(endOf(placements.at(-1)!), at(116))
  assert.deepEqual(warnings, [])
})

test('elsewhere an item begins and ends at the nearest boundary, and is never empty', () => {
  const shown = (inMs: number, outMs: number) => {
    const { placements } = layOutSeconds(0, 1, [aProgram(0, 100, { ...film, inMs, outMs })])
    return [placements[0]!.show.firstSegment, placements[0]!.segments]
  }

  assert.deepEqual(shown(3_000, 9_000), [1, 2])
  assert.deepEqual(shown(50, 100), [0, 1])
  assert.deepEqual(shown(40_000, 30_000)[1], 1)
  assert.deepEqual(shown(200_000, 300_000), [30, 1])
})

test('a layout that starts at any boundary of such a program equals the rest of the full layout', () => {
  const anyItem = fc.oneof(
    fc
      .tuple(fc.nat(90_000), fc.nat(90_000))
      .map(([one, other]) => ({ ...film, inMs: Math.min(one, other), outMs: Math.max(one, other) })),
    fc.integer({ min: 2, max: 30 }).map(aPod),
  )
  fc.assert(
    fc.property(fc.array(anyItem, { minLength: 1, maxLength: 5 }), fc.nat(1_000), (items, number) => {
      const params = {
        fromTicks: at(0),
        untilTicks: at(300),
        programs: [aProgram(0, 300, ...items)],
        slates: someSlates(),
      }
      const whole = layOut(params).placements
      const spans = numberPlacements(whole, 0)
      const index = number % whole.length
      const shown = 1 + (number % whole[index]!.segments)
      const before = { ...spans[index]!, segments: shown }
      const fromTicks = endOf({ ...whole[index]!, segments: shown })

      const rest = layOut({ ...params, fromTicks, before }).placements

      const expected = whole.slice(index + (shown === whole[index]!.segments ? 1 : 0))
      const ends = (list: typeof whole) =>
        list.map((it) => [endOf(it), it.show.media.path, it.airing.component])
      assert.deepEqual(ends(rest), ends(expected))
    }),
  )
})
