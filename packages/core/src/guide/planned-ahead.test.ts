import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planOverride, planStop } from '../planning/plan.ts'
import { aProgram, aVideo, ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { msOf } from '../time/ticks.ts'
import { addPacked, emptyPacked, packRun } from '../timeline/codec/packed.ts'
import { plannedUntil } from '../timeline/planned-until.ts'
import { applyRun, type Timeline } from '../timeline/run.ts'
import type { WindowedProgram } from '../timeline/span.ts'
import { anOverride, aSchedule, onAirAt, planned, started } from '../timeline/testing/control-room.ts'
import { guideBetween } from './guide-between.ts'
import { guideSpansOf } from './guide-spans.ts'
import { plannedAhead } from './planned-ahead.ts'

const DAY = 86_400

/** Of a schedule of programs of 100 s, the first 250 s are committed. */
const programs = Array.from({ length: 10 }, (_, at) =>
  aProgram(at * 100, at * 100 + 100, aVideo(`video-${at}`, 100)),
)
const timeline = started(aSchedule(250, ...programs))
const packedOf = ({ runs }: Timeline) => runs.map(packRun).reduce(addPacked, emptyPacked)
const committedMs = msOf(plannedUntil(timeline)!)

const at = (id: string, start: number, end: number): WindowedProgram => ({
  id,
  title: id,
  description: '',
  startMs: ORIGIN_MS + start * 1_000,
  endMs: ORIGIN_MS + end * 1_000,
})

/** The guide at some seconds, as ids and seconds. */
function guideOf(
  shown: Timeline,
  received: readonly WindowedProgram[] | undefined,
  seconds: number,
  packed = packedOf(shown),
) {
  const nowMs = ORIGIN_MS + seconds * 1_000
  const committedUntilMs = msOf(plannedUntil(shown) ?? 0)
  return guideBetween({
    aired: guideSpansOf(shown),
    programs: plannedAhead(packed, received, committedUntilMs, nowMs),
    committedUntilMs,
    nowMs,
    fromMs: ORIGIN_MS,
    toMs: Number.MAX_SAFE_INTEGER,
  })
}

const seconds = (entries: ReturnType<typeof guideOf>) =>
  entries.map(({ program, startMs, endMs }) => [
    program.id,
    (startMs - ORIGIN_MS) / 1_000,
    (endMs - ORIGIN_MS) / 1_000,
  ])

const aired = [
  ['from 0', 0, 100],
  ['from 100', 100, 200],
  ['from 200', 200, 300],
]

test('planned programs follow the committed timeline, up to 14 days', () => {
  const received = [
    at('from 100', 100, 200),
    at('over', 250, 400),
    at('far', 10 * DAY, 10 * DAY + 100),
    at('last', 14 * DAY - 1, 14 * DAY + 100),
    at('beyond', 14 * DAY, 14 * DAY + 50),
  ]

  assert.deepEqual(seconds(guideOf(timeline, received, 0)), [
    ...aired,
    // Where the plan differs from what is committed, what is committed counts.
    ['over', 300, 400],
    ['far', 10 * DAY, 10 * DAY + 100],
    ['last', 14 * DAY - 1, 14 * DAY + 100],
  ])
})

test('without planned programs the guide ends with the timeline', () => {
  assert.deepEqual(seconds(guideOf(timeline, undefined, 0)), aired)
  assert.deepEqual(seconds(guideOf(timeline, [], 0)), aired)
})

test('a channel that goes off the air has no programs after that', () => {
  const ended = applyRun(timeline, planned(planStop(onAirAt(timeline, 50))))

  const guide = guideOf(ended, [at('far', 10 * DAY, 10 * DAY + 100)], 50)

  assert.deepEqual(
    guide.map(({ program }) => program.id),
    ['from 0'],
  )
})

test('a program that began after the end of a timeline that no one extended is not listed', () => {
  const received = [at('missed', 300, 400), at('next', 400, 500)]

  assert.ok(committedMs < ORIGIN_MS + 350_000)
  assert.deepEqual(seconds(guideOf(timeline, received, 350)), [...aired, ['next', 400, 500]])
})

test('behind an open override is what is planned now, not what was when it began', () => {
  const cut = planned(planOverride(onAirAt(timeline, 150), anOverride()))
  const overridden = applyRun(timeline, cut)
  // The bytes of the run that was cut still contain what it would have shown.
  const packed = addPacked(packedOf(timeline), packRun(cut))
  const idsAt = (received: readonly WindowedProgram[] | undefined) =>
    guideOf(overridden, received, 160, packed).map(({ program }) => program.id)

  assert.deepEqual(idsAt(undefined), ['from 0', 'from 100', 'cut', 'from 200'])
  assert.deepEqual(idsAt([at('other', 200, 300), at('far', DAY, DAY + 1)]), [
    'from 0',
    'from 100',
    'cut',
    'other',
    'far',
  ])
})

test('without planned programs, only those behind an open override count, and nothing of other runs', () => {
  const cut = planned(planOverride(onAirAt(timeline, 150), anOverride()))
  const behind = (...[packed]: readonly ReturnType<typeof packedOf>[]) =>
    plannedAhead(packed!, undefined, committedMs, ORIGIN_MS).map(({ id }) => id)
  const open = addPacked(packedOf(timeline), packRun(cut))

  // The first was cut by the override, and the other would have followed.
  assert.deepEqual(behind(open), ['from 200'])
  assert.deepEqual(behind(emptyPacked), [])
  assert.deepEqual(behind({ ...open, runs: open.runs.slice(-1) }), [])
  // The run before ends elsewhere: it was not cut by the last one.
  const [before, last] = open.runs
  assert.deepEqual(
    behind({ ...open, runs: [{ ...before!, endSequence: before!.endSequence - 1 }, last!] }),
    [],
  )
  assert.deepEqual(behind({ ...open, runs: [{ ...before!, bytes: new Uint8Array() }, last!] }), [])
})

test('planned programs are listed from now on, without an end before 14 days', () => {
  const received = [at('before', 299, 310), at('now', 300, 400), at('end', 300 + 14 * DAY, 14 * DAY + 400)]
  const listedAt = (committed: number) =>
    plannedAhead(packedOf(timeline), received, ORIGIN_MS + committed * 1_000, ORIGIN_MS + 300_000).map(
      ({ id }) => id,
    )

  assert.deepEqual(listedAt(299), ['now'])
  assert.deepEqual(listedAt(300), ['before', 'now'])
  assert.deepEqual(plannedAhead(emptyPacked, received, 0, 0), [])
})

test('a program that is announced a second before the end of the timeline is listed as announced', () => {
  const [, , last, next] = seconds(guideOf(timeline, [at('early', 299, 400)], 0))

  assert.deepEqual(
    [last, next],
    [
      ['from 200', 200, 299],
      ['early', 299, 400],
    ],
  )
})

test('whatever is planned, the guide is sorted, does not overlap and equals the plan after the timeline', () => {
  const anyPlan = fc.array(fc.tuple(fc.nat(5_000), fc.integer({ min: 1, max: 500 })), { maxLength: 30 })
  fc.assert(
    fc.property(anyPlan, fc.nat(240), (parts, nowSeconds) => {
      let end = 0
      const received = parts.map(([gap, length], index) => {
        const start = end + gap
        end = start + length
        return at(`p${index}`, start, end)
      })

      fc.pre(received.every(({ startMs }) => startMs !== committedMs - 1_000))

      const guide = guideOf(timeline, received, nowSeconds)

      assert.ok(guide.every(({ startMs, endMs }) => startMs < endMs))
      assert.ok(guide.slice(1).every(({ startMs }, index) => guide[index]!.endMs <= startMs))
      assert.deepEqual(seconds(guide.slice(0, 3)), aired)
      assert.deepEqual(
        guide.slice(3).filter(({ startMs }) => startMs > ORIGIN_MS + 300_000),
        received
          .filter(({ startMs }) => startMs > ORIGIN_MS + 300_000)
          .map((program) => ({ program, startMs: program.startMs, endMs: program.endMs })),
      )
    }),
  )
})
