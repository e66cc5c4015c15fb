import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { at, ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { noLive } from '../timeline/discontinuity.ts'
import { aLiveRun, aRun, breaksFor, loops, type Part, plays } from '../timeline/testing/a-run.ts'
import { aLog, aTimeline, aView } from '../timeline/testing/a-timeline.ts'
import { cellAt, MINUTE_MS } from './component-cell.ts'
import { splitWatched } from './watched-parts.ts'

const seconds = (ms: number) => (ms - ORIGIN_MS) / 1_000

test('a cell contains what plays and its span, cut at the minute', () => {
  const program = { id: 'news', title: 'News', description: '', startMs: 0, endMs: 1 }
  const film = plays('film', 100)
  const timeline = aTimeline(
    aRun({}, { ...film, airing: { ...film.airing, program, component: 3 } }, breaksFor(20)),
  )

  const first = cellAt(timeline, ORIGIN_MS + 70_000, noLive)
  const pod = cellAt(timeline, ORIGIN_MS + 320_000, noLive)

  assert.deepEqual([seconds(first.startMs), seconds(first.endMs)], [60, 120])
  assert.deepEqual(first.component, { spanTicks: at(0), type: 'VIDEO', programId: 'news', component: 3 })
  assert.deepEqual([seconds(pod.startMs), seconds(pod.endMs)], [320, 352])
  assert.deepEqual(pod.component, { spanTicks: at(320), type: 'AD_POD', programId: null, component: 0 })
})

test('nothing is on before a channel starts, after it ends and between a stop and a start', () => {
  const timeline = aTimeline(
    aRun({ isEnd: true }, plays('film', 5)),
    aRun({ number: 2, sequence: 5, startSeconds: 40, shownFromSeconds: 40 }, plays('more', 5)),
  )
  const cell = (second: number) => {
    const { startMs, endMs, component } = cellAt(timeline, ORIGIN_MS + second * 1_000, noLive)
    return [seconds(startMs), seconds(endMs), component?.type]
  }

  assert.deepEqual(cell(-5), [-5, 0, undefined])
  assert.deepEqual(cell(17), [17, 40, undefined])
  assert.deepEqual(cell(41), [40, 56, 'VIDEO'])
  assert.deepEqual(cell(57), [57, 60, undefined])
})

test('a cell ends where another run takes over, although its span is longer', () => {
  const timeline = aTimeline(
    aRun({}, plays('film', 10)),
    aRun({ number: 2, sequence: 3, startSeconds: 8, shownFromSeconds: 8 }, plays('more', 10)),
  )

  const before = cellAt(timeline, ORIGIN_MS + 7_000, noLive)
  const after = cellAt(timeline, before.endMs, noLive)

  assert.deepEqual([seconds(before.startMs), seconds(before.endMs)], [0, 8])
  assert.equal(before.component?.spanTicks, at(0))
  assert.equal(after.component?.spanTicks, at(8))
})

test('slots of a live source have the type that was aired', () => {
  const adBreak = { firstSlot: 103, plannedSlots: 2, endSlot: 105, slate: null }
  const live = aView(aLog([101], [adBreak]))
  const timeline = aTimeline(aLiveRun({}))

  const types = [0, 1, 2, 3, 4, 5].map(
    (slot) => cellAt(timeline, ORIGIN_MS + slot * 3_200 + 1, live).component?.type,
  )

  assert.deepEqual(types, ['LIVE', 'SLATE', 'LIVE', 'AD_POD', 'AD_POD', 'LIVE'])
})

const anyPart = fc
  .record({ kind: fc.constantFrom('film', 'pod', 'fill'), segments: fc.integer({ min: 1, max: 12 }) })
  .map(({ kind, segments }): Part => {
    if (kind === 'pod') return breaksFor(segments)
    const part = kind === 'film' ? plays('film', segments) : loops('fill', segments)
    // Not on whole milliseconds: media may end at any tick.
    return { ...part, airing: { ...part.airing, type: kind === 'film' ? 'VIDEO' : 'TIME_FILL' } }
  })

/** A run that begins at any tick, so that no boundary is a whole millisecond. */
const anyTimeline = fc
  .record({ parts: fc.array(anyPart, { minLength: 1, maxLength: 8 }), offset: fc.nat(90_000) })
  .map(({ parts, offset }) => aTimeline(aRun({ startSeconds: offset / 90_000 }, ...parts)))

test('every millisecond is in one cell, and all of a cell have the same component', () => {
  fc.assert(
    fc.property(anyTimeline, fc.integer({ min: -10_000, max: 150_000 }), (timeline, offset) => {
      const cell = cellAt(timeline, ORIGIN_MS + offset, noLive)

      assert.ok(cell.startMs <= ORIGIN_MS + offset && ORIGIN_MS + offset < cell.endMs)
      assert.ok(cell.minuteMs <= cell.startMs && cell.endMs <= cell.minuteMs + MINUTE_MS)
      for (const ms of [cell.startMs, cell.endMs - 1])
        assert.deepEqual(cellAt(timeline, ms, noLive).component, cell.component)
      assert.notDeepEqual(
        [cell.component, cell.minuteMs],
        [cellAt(timeline, cell.endMs, noLive).component, cellAt(timeline, cell.endMs, noLive).minuteMs],
      )
    }),
  )
})

test('the parts of an interval add up to it, except for the time in which nothing was on', () => {
  const anyInterval = fc.tuple(fc.integer({ min: -10_000, max: 120_000 }), fc.nat(20_000))
  fc.assert(
    fc.property(anyTimeline, anyInterval, (timeline, [start, length]) => {
      const findCell = (ms: number) => cellAt(timeline, ms, noLive)
      const startMs = ORIGIN_MS + start

      const parts: number[] = []
      splitWatched(startMs, startMs + length, findCell, (_cell, _component, ms) => parts.push(ms))

      const { startTicks, spans } = timeline.runs[0]!
      const last = spans.at(-1)!
      const onFromMs = Math.floor(startTicks / 90)
      const show = last.show
      assert.ok(show.kind === 'asset')
      const segmentTicks = show.isLooped ? 144_000 : 288_000
      const onUntilMs = Math.floor((last.startTicks + last.segments * segmentTicks) / 90)
      const expected = Math.max(0, Math.min(startMs + length, onUntilMs) - Math.max(startMs, onFromMs))
      assert.equal(
        parts.reduce((sum, ms) => sum + ms, 0),
        expected,
      )
      assert.ok(parts.every((ms) => ms > 0))
    }),
  )
})
