import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Media } from '../media/media.ts'
import { aMedia } from '../schedule/testing/a-schedule.ts'
import {
  createLiveView,
  discontinuitiesWithin,
  discontinuityOfRun,
  dropCounts,
  isJoined,
  type LiveView,
  noLive,
} from './discontinuity.ts'
import type { LiveBreak, LiveLog } from './live-log.ts'
import type { Timeline } from './run.ts'
import { continues, shownAt } from './shown.ts'
import type { LiveShow } from './span.ts'
import { aLiveRun, aRun, loops, type Part, plays, playsAll } from './testing/a-run.ts'
import { aLog, aTimeline, aView, numberAt, shownFrom } from './testing/a-timeline.ts'

/** The discontinuity number of each segment of a live span that began at second 0. */
const liveNumbers = (live: LiveView, segments: number): readonly (number | undefined)[] =>
  Array.from({ length: segments }, (_, at) => numberAt(aTimeline(aLiveRun({})), 3.2 * (at + 1), live))

const numbersOf = (...parts: readonly Part[]): readonly number[] =>
  aRun({}, ...parts).spans.map(({ discontinuity }) => discontinuity)

test('each restart of a looped slate is a discontinuity', () => {
  const timeline = aTimeline(aRun({}, loops('slate', 25)))

  assert.equal(numberAt(timeline, 16), 0)
  assert.equal(numberAt(timeline, 17.6), 1)
  assert.equal(numberAt(timeline, 32), 1)
  assert.equal(numberAt(timeline, 33.6), 2)
})

test('a loop that is joined in the middle restarts earlier', () => {
  const timeline = aTimeline(aRun({}, loops('slate', 25, 7)))

  assert.equal(numberAt(timeline, 4.8), 0)
  assert.equal(numberAt(timeline, 6.4), 1)
})

test('a slate of one segment restarts with every segment', () => {
  const part = playsAll(aMedia('slate', 1.6, 1_600))
  const timeline = aTimeline(aRun({}, { ...part, segments: 9, show: { ...part.show, isLooped: true } }))

  assert.deepEqual([numberAt(timeline, 1.6), numberAt(timeline, 3.2), numberAt(timeline, 8)], [0, 1, 4])
})

test('a span that continues where the previous one ended is not a discontinuity', () => {
  assert.deepEqual(numbersOf(plays('one', 5), plays('one', 5, 5)), [0, 0])
  assert.deepEqual(numbersOf(loops('slate', 4), loops('slate', 5, 4)), [0, 0])
})

test('any other change of span is a discontinuity', () => {
  assert.deepEqual(numbersOf(plays('one', 5), plays('two', 5)), [0, 1])
  assert.deepEqual(numbersOf(plays('one', 5), plays('two', 5, 5)), [0, 1])
  assert.deepEqual(numbersOf(plays('one', 5), plays('one', 5, 6)), [0, 1])
  assert.deepEqual(numbersOf(plays('one', 5), plays('one', 5)), [0, 1])
})

test('a span after a loop counts the restarts of the loop', () => {
  assert.deepEqual(numbersOf(loops('slate', 20), plays('one', 5)), [0, 2])
  assert.deepEqual(numbersOf(loops('slate', 21), plays('one', 5)), [0, 3])
})

test('a stalled live source is a discontinuity to the slate and another one back', () => {
  const live = aView(aLog([102, 103]))

  assert.deepEqual(liveNumbers(live, 6), [0, 0, 1, 1, 2, 2])
})

test('a timestamp break of a live source is a discontinuity', () => {
  const live = aView(aLog([], [], (slot) => (slot < 103 ? 1 : 2)))

  assert.deepEqual(liveNumbers(live, 5), [0, 0, 0, 1, 1])
})

test('a slate that replaces a live source is a discontinuity where its loop restarts', () => {
  const live = aView(aLog([103, 104, 105, 106]))

  assert.deepEqual(shownFrom(aTimeline(aLiveRun({})), 3, 7, live), ['fill/3', 'fill/4', 'fill/0', 'fill/1'])
  assert.deepEqual(liveNumbers(live, 8), [0, 0, 0, 1, 1, 2, 2, 3])
})

test('the slate that replaces a slot is the same in every channel, wherever it joined the source', () => {
  const live = aView(aLog([103]))
  const channels = [aTimeline(aLiveRun({})), aTimeline(aLiveRun({ firstSlot: 101 }))]

  assert.deepEqual(shownFrom(channels[0]!, 3, 4, live), ['fill/3'])
  assert.deepEqual(shownFrom(channels[1]!, 2, 3, live), ['fill/3'])
})

test('an ad slate is shown for a break of a live source, from its first segment', () => {
  const slate = aMedia('ad', 9.6)
  const live = aView(aLog([], [{ firstSlot: 101, plannedSlots: 4, endSlot: 105, slate }]))

  assert.deepEqual(shownFrom(aTimeline(aLiveRun({})), 0, 6, live), [
    'live/north/100',
    'ad/0',
    'ad/1',
    'ad/2',
    'ad/0',
    'live/north/105',
  ])
  assert.deepEqual(liveNumbers(live, 6), [0, 1, 1, 1, 2, 3])
})

test('an ad slate whose segments differ from the slot length is not shown: the source stays visible', () => {
  const shownWith = (slate: Media) => {
    const live = aView(aLog([], [{ firstSlot: 101, plannedSlots: 2, endSlot: 103, slate }]))
    return shownFrom(aTimeline(aLiveRun({})), 1, 3, live)
  }

  for (const slate of [aMedia('ad', 1.6), aMedia('ad', 3), aMedia('ad', 4.7), aMedia('ad', 16, 1_600)]) {
    assert.deepEqual(shownWith(slate), ['live/north/101', 'live/north/102'])
  }
  assert.deepEqual(shownWith(aMedia('ad', 3.2)), ['ad/0', 'ad/0'])
})

test('a cut to a live source is a discontinuity, whatever its first slot contains', () => {
  const [live] = aLiveRun({ firstSlot: 102 }).spans
  const [before] = aRun({}, plays('fill', 2)).spans

  // If the slot is missing, the slate that replaces it would continue.
  assert.deepEqual(shownFrom(aTimeline(aLiveRun({ firstSlot: 102 })), 0, 1, noLive), ['fill/2'])
  assert.equal(isJoined(before!, live!, noLive.findLog), false)
})

test('an unknown source shows the slate, and does not end the channel', () => {
  assert.deepEqual(shownFrom(aTimeline(aLiveRun({})), 0, 2, noLive), ['fill/0', 'fill/1'])
})

test('a run after a live run has the number that follows from the live log', () => {
  const timeline = aTimeline(
    aLiveRun({ discontinuity: 7, segments: 5 }),
    aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 5)),
  )

  assert.equal(discontinuityOfRun(timeline, 1, aView()), 8)
  assert.equal(discontinuityOfRun(timeline, 1, aView(aLog([102]))), 10)
  assert.equal(numberAt(timeline, 19.2, aView(aLog([102]))), 10)
})

test('a number is derived through several runs without numbers', () => {
  const timeline = aTimeline(
    aLiveRun({ segments: 5 }),
    aLiveRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null, firstSlot: 200, segments: 5 }),
    aRun({ number: 3, sequence: 10, startSeconds: 32, discontinuity: null }, plays('one', 5)),
  )

  assert.equal(discontinuityOfRun(timeline, 2, aView()), 2)
  assert.equal(discontinuityOfRun(timeline, 2, aView(aLog([102, 202]))), 6)
})

test('a live run that continues with the next slot of the source is not a discontinuity', () => {
  const continuesAt = (firstSlot: number): Timeline =>
    aTimeline(
      aLiveRun({ segments: 5 }),
      aLiveRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null, firstSlot }),
    )

  assert.equal(numberAt(continuesAt(105), 19.2, aView()), 0)
  assert.equal(numberAt(continuesAt(106), 19.2, aView()), 1)
})

test('discontinuities equal those counted one by one, in any order of queries', () => {
  const show = aLiveRun({}).spans[0]!
  const anyQueries = fc.array(fc.nat(199), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(anyLog(), anyQueries, (log, queries) => {
      const live = aView(log)

      for (const at of queries) {
        let seen = 0
        for (let i = 1; i <= at; i += 1) {
          if (!continues(shownAt(show, i - 1, live.findLog), shownAt(show, i, live.findLog))) seen += 1
        }
        assert.equal(discontinuitiesWithin(show, at, live), seen)
        assert.equal(discontinuitiesWithin(show, at, createLiveView(live.findLog)), seen)
      }
    }),
    { numRuns: 50 },
  )
})

/** A log that records which slots were read, with a discontinuity at each of them. */
function aReadLog(fields: Partial<LiveLog> = {}) {
  const read: number[] = []
  const log: LiveLog = {
    ...aLog([], [], (slot) => slot),
    ...fields,
    entryAt: (slot) => {
      read.push(slot)
      return { slot, epoch: slot, path: 'live/north' }
    },
  }
  return { live: aView(log), read }
}

test('a span that is unpacked again is not counted from its start', () => {
  const { live, read } = aReadLog()
  discontinuitiesWithin(aLiveRun({}).spans[0]!, 10_000, live)
  read.length = 0

  const again = discontinuitiesWithin(aLiveRun({}).spans[0]!, 10_001, live)

  assert.equal(again, 10_001)
  assert.ok(read.length < 64, `${read.length} slots were read`)
})

test('spans that differ in what a count depends on are counted separately', () => {
  const [span] = aLiveRun({}).spans
  const show = span!.show as LiveShow
  const slate = aMedia('ad', 3.2)
  const breaks = [{ firstSlot: 110, plannedSlots: 40, endSlot: 150, slate }]
  const live = aView(aLog([103, 104, 105], breaks))
  const others: readonly LiveShow[] = [
    { ...show, sourceId: 'south' },
    { ...show, firstSlot: 106 },
    { ...show, slotTicks: 2 * show.slotTicks },
    // A single segment, so that it restarts with every slot.
    { ...show, fill: aMedia('short', 3.2) },
  ]

  for (const other of [show, ...others]) {
    const cold = discontinuitiesWithin({ show: other }, 64, createLiveView(live.findLog))
    assert.equal(discontinuitiesWithin({ show: other }, 64, live), cold)
  }
})

test('counts of at most a few thousand spans are kept', () => {
  const { live } = aReadLog()
  for (let firstSlot = 0; firstSlot < 10_000; firstSlot += 1)
    discontinuitiesWithin(aLiveRun({ firstSlot }).spans[0]!, 1, live)

  const kept = [...live.counted.values()].reduce((sum, { size }) => sum + size, 0)

  assert.ok(kept > 0 && kept <= 5_000)
})

test('a node that was cut off from a log counts correctly as soon as it has the log', () => {
  let isCutOff = true
  const whole = aLog()
  const live = aView({
    ...whole,
    get knownUntil() {
      return isCutOff ? 150 : whole.knownUntil
    },
    entryAt: (slot) => (isCutOff && slot >= 150 ? undefined : whole.entryAt(slot)),
  })
  const [span] = aLiveRun({}).spans
  assert.ok(discontinuitiesWithin(span!, 400, live) > 0)

  isCutOff = false

  assert.equal(discontinuitiesWithin(span!, 400, live), 0)
})

test('dropping the counts of one source keeps those of the others', () => {
  let missing: readonly number[] = [120]
  const log = (): LiveLog => aLog(missing)
  const live = createLiveView(log)
  const [north, south] = [aLiveRun({}).spans[0]!, aLiveRun({ sourceId: 'south' }).spans[0]!]
  const countBoth = () => [north, south].map((span) => discontinuitiesWithin(span, 64, live))
  assert.deepEqual(countBoth(), [2, 2])

  missing = []
  dropCounts(live, 'north')

  assert.deepEqual(countBoth(), [0, 2])
})

function anyLog() {
  const anySlot = fc.integer({ min: 100, max: 299 })
  const anyBreak = fc
    .tuple(fc.integer({ min: 90, max: 280 }), fc.integer({ min: 1, max: 40 }), fc.boolean())
    .map(([firstSlot, slots, hasSlate]): LiveBreak => {
      const slate = hasSlate ? aMedia('ad', 16) : null
      return { firstSlot, plannedSlots: slots, endSlot: firstSlot + slots, slate }
    })
  return fc
    .tuple(fc.array(anySlot, { maxLength: 60 }), fc.option(anyBreak), fc.integer({ min: 5, max: 50 }))
    .map(([missing, adBreak, epochSlots]) =>
      aLog(missing, adBreak === null ? [] : [adBreak], (slot) => Math.floor(slot / epochSlots)),
    )
}
