import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPod, aProgram, at, aVideo, ORIGIN_MS, someSlates, ticks } from '../schedule/testing/a-schedule.ts'
import { noLive } from '../timeline/discontinuity.ts'
import { plannedUntil } from '../timeline/planned-until.ts'
import { applyRun, emptyTimeline, endSequenceOf, endTicksOf, type Timeline } from '../timeline/run.ts'
import type { LiveShow } from '../timeline/span.ts'
import { aTimeline, aView, describeSpans, listedAt, numberAt } from '../timeline/testing/a-timeline.ts'
import { aCut, anOverride, aSchedule, onAirAt, planned, started } from '../timeline/testing/control-room.ts'
import { faultsOf } from '../timeline/timeline-faults.ts'
import { windowAt } from '../timeline/window.ts'
import {
  planContinue,
  planOverride,
  planRenewal,
  planRescue,
  planSchedule,
  planStart,
  planStop,
  planStopAt,
} from './plan.ts'

const MS = 0.001

const one = aProgram(0, 64, aVideo('one', 64))
const two = aProgram(64, 192, aVideo('two', 128))
const schedule = aSchedule(192, one, two)
const timeline = started(schedule)

const overridden = (seconds: number, of: Timeline = timeline): Timeline =>
  applyRun(of, planned(planOverride(onAirAt(of, seconds, aView()), anOverride())))
const rescued = (seconds: number): Timeline =>
  applyRun(timeline, planned(planRescue(onAirAt(timeline, seconds), someSlates().rescue, aCut)))
const stopped = (seconds: number): Timeline =>
  applyRun(timeline, planned(planStop(onAirAt(timeline, seconds))))
const lastShow = ({ runs }: Timeline): LiveShow => runs.at(-1)!.spans[0]!.show as LiveShow

test('a channel starts with a pre-roll slate, then joins the schedule', () => {
  const run = planStart(onAirAt(emptyTimeline, 20 - 1.5), schedule)

  assert.deepEqual(describeSpans(run), [
    '-12.0 rescue 0+20',
    '20.0 one 6+14',
    '64.8 two 0+40',
    '192.8 rescue 0+on',
  ])
})

test('a channel is on the air one cut margin from now, and its first window is complete', () => {
  assert.equal(listedAt(timeline, -MS), undefined)
  assert.deepEqual(
    listedAt(timeline, 0),
    Array.from({ length: 20 }, (_, number) => `rescue/${number}`),
  )
})

test('a restart continues both numbers, and does not overlap what was shown before', () => {
  const before = stopped(30)
  const end = before.runs.at(-1)!

  const run = planStart(onAirAt(before, 33), schedule)

  assert.equal(run.firstSequence, endSequenceOf(end))
  assert.equal(run.startTicks, endTicksOf(end))
  assert.equal(run.discontinuity, numberAt(before, 40)! + 1)
  assert.deepEqual(faultsOf(applyRun(before, run)), [])
})

test('a restart after a long time is on the air one cut margin from now', () => {
  const run = planStart(onAirAt(stopped(30), 100), schedule)

  assert.equal(run.shownFromTicks, at(101.5))
  assert.equal(run.startTicks, at(101.5 - 32))
})

/** A channel whose boundaries have this phase relative to those of the slots. */
const startedAt = (phase: number): Timeline =>
  applyRun(emptyTimeline, planStart(onAirAt(emptyTimeline, phase - 1.5), schedule))

test('an override shows the slot that is behind by the lag, and all slots after it', () => {
  const run = planned(planOverride(onAirAt(startedAt(2), 34), anOverride()))

  // At second 34, this is the slot that contains second 31.5.
  const slot = Math.floor((ORIGIN_MS + 31_500) / 3_200)
  assert.deepEqual(describeSpans(run), [`34.0 north ${slot}+on`])
})

test('a slot is not listed before it has been settled for one cut margin', () => {
  for (let phase = 0; phase < 3.2; phase += 0.1) {
    const { spans, startTicks } = planned(planOverride(onAirAt(startedAt(phase), 34), anOverride()))
    const show = spans[0]!.show as LiveShow
    const settledTicks = (show.firstSlot + 1) * show.slotTicks + ticks(1 + 1.5)

    const behindTicks = startTicks + show.slotTicks - settledTicks
    assert.ok(behindTicks >= 0 && behindTicks < show.slotTicks)
  }
})

test('a second override of the same source continues without a discontinuity', () => {
  const twice = overridden(46, overridden(33))

  assert.equal(lastShow(twice).joinedSlot, lastShow(overridden(33)).firstSlot)
  assert.equal(numberAt(twice, 60, aView()), numberAt(overridden(33), 60, aView()))
  assert.deepEqual(listedAt(twice, 60, 32, aView()), listedAt(overridden(33), 60, 32, aView()))
})

test('an override of another source joins it', () => {
  const once = overridden(33)
  const run = planned(planOverride(onAirAt(once, 46), anOverride('south')))
  const show = run.spans[0]!.show as LiveShow

  assert.equal(show.joinedSlot, show.firstSlot)
  assert.equal(numberAt(applyRun(once, run), 48, aView()), numberAt(once, 48, aView())! + 1)
})

test('a source whose slot length changed is joined again', () => {
  const once = overridden(33)
  const run = planned(planOverride(onAirAt(once, 46), { ...anOverride(), slotMs: 6_400 }))
  const show = run.spans[0]!.show as LiveShow

  assert.notEqual(show.firstSlot, lastShow(once).firstSlot)
  assert.equal(show.joinedSlot, show.firstSlot)
})

test('the rescue slate takes over from its first segment and continues without end', () => {
  assert.deepEqual(rescued(33).runs.map(describeSpans).at(-1), ['35.2 rescue 0+on'])
  assert.equal(
    listedAt(rescued(33), 99_999)!.every((it) => it.startsWith('rescue/')),
    true,
  )
})

test('a return joins the schedule at the current time', () => {
  const run = planned(planSchedule(onAirAt(rescued(33), 100), schedule))

  assert.deepEqual(describeSpans(run), ['100.8 two 11+28', '190.4 fill 0+1', '192.0 rescue 0+on'])
})

test('a return to a time without a program shows time fill', () => {
  const run = planned(planSchedule(onAirAt(rescued(33), 180), aSchedule(200, one)))

  assert.deepEqual(describeSpans(run).at(0)?.split(' ').slice(1), ['fill', '0+12'])
})

test('replacing a future program changes nothing before it', () => {
  const replaced = aSchedule(192, one, aProgram(64, 192, aVideo('three', 128)))

  const run = planned(planSchedule(onAirAt(timeline, 10), replaced, ORIGIN_MS + 64_000))

  assert.deepEqual(describeSpans(run), ['64.0 three 0+40', '192.0 rescue 0+on'])
  assert.deepEqual(listedAt(applyRun(timeline, run), 64), listedAt(timeline, 64))
})

test('a program is replaced at its real start, before or after its scheduled start', () => {
  for (const [seconds, begins] of [
    [64.5, 64],
    [65, 65.6],
  ] as const) {
    const first = aProgram(0, seconds, aVideo('one', 64))
    const before = started(aSchedule(192, first, aProgram(seconds, 192, aVideo('two', 120))))
    const replaced = aSchedule(192, first, aProgram(seconds, 192, aVideo('three', 120)))

    const run = planned(planSchedule(onAirAt(before, 10), replaced, ORIGIN_MS + seconds * 1_000))

    assert.match(describeSpans(run)[0]!, new RegExp(`^${begins.toFixed(1)} three 0`))
  }
})

test('a plan that is extended at its end equals a plan that was made at once', () => {
  const programs = [one, two, aProgram(200, 500, aVideo('three', 100), aPod(30), aVideo('four', 150))]
  const first = started(aSchedule(100, ...programs))
  const plannedTicks = plannedUntil(first)!

  const run = planned(
    planSchedule(onAirAt(first, 50), aSchedule(500, ...programs), Math.floor(plannedTicks / 90)),
  )

  assert.equal(run.startTicks, plannedTicks)
  assert.deepEqual(numbered(applyRun(first, run)), numbered(started(aSchedule(500, ...programs))))
})

test('a program that begins after the planned end is planned from that end on', () => {
  const first = started(aSchedule(64, one))
  const later = aSchedule(500, one, aProgram(300, 500, aVideo('three', 200)))

  const run = planned(planSchedule(onAirAt(first, 50), later, ORIGIN_MS + 300_000))

  assert.equal(run.startTicks, plannedUntil(first))
})

test('a stop takes the channel off the air at the next boundary', () => {
  const run = planned(planStop(onAirAt(timeline, 30)))

  assert.deepEqual([run.startTicks, run.spans, run.isEnd], [at(32), [], true])
  assert.equal(windowAt(applyRun(timeline, run), at(33.5), ticks(32), noLive)?.isEnded, true)
})

test('a stop at the end of a program takes the channel off the air after its last segment', () => {
  const run = planned(planStopAt(onAirAt(timeline, 30), { ...schedule, endMs: ORIGIN_MS + 64_000 }))

  const window = windowAt(applyRun(timeline, run), at(70), ticks(32), noLive)
  assert.deepEqual([window?.endTicks, window?.isEnded], [at(64), true])
})

test('a stop in the future can be revoked', () => {
  const stopping = applyRun(
    timeline,
    planned(planStopAt(onAirAt(timeline, 30), { ...schedule, endMs: ORIGIN_MS + 64_000 })),
  )

  const run = planned(planSchedule(onAirAt(stopping, 40), schedule))

  assert.deepEqual(listedAt(applyRun(stopping, run), 70), listedAt(timeline, 70))
})

test('an end can be revoked up to the millisecond before it, and the channel shows what it would have shown', () => {
  for (const seconds of [30, 31, 31.999]) {
    const run = planned(planContinue(onAirAt(stopped(30), seconds), schedule))

    assert.deepEqual([run.startTicks, run.isEnd], [at(32), false])
    const continued = applyRun(stopped(30), run)
    for (const later of [32, 33.5, 40, 150])
      assert.deepEqual(listedAt(continued, later), listedAt(timeline, later))
    assert.deepEqual(faultsOf(continued), [])
  }
})

test('planContinue is rejected after the end, without an end, and before the first start', () => {
  const rejected = { kind: 'rejected', reason: 'not_on_air' }

  assert.deepEqual(planContinue(onAirAt(stopped(30), 32), schedule), rejected)
  assert.deepEqual(planContinue(onAirAt(timeline, 30), schedule), rejected)
  assert.deepEqual(planContinue(onAirAt(emptyTimeline, 30), schedule), rejected)
})

test('an ad break where an end is revoked is announced when every node has received it', () => {
  const pods = aSchedule(192, one, aProgram(64, 192, aPod(32), aVideo('two', 96)))
  const airing = started(pods)
  const stopping = applyRun(
    airing,
    planned(planStopAt(onAirAt(airing, 30), { ...pods, endMs: ORIGIN_MS + 64_000 })),
  )

  const early = planned(planContinue(onAirAt(stopping, 62.5), pods))
  const late = planned(planContinue(onAirAt(stopping, 62.501), pods))

  const breakAt = ({ spans }: typeof late) =>
    spans.find(({ airing: { type } }) => type === 'AD_POD')!.startTicks
  assert.deepEqual([breakAt(early), breakAt(late)], [at(64), at(65.6)])
})

test('an end after the planned schedule can be revoked, and is followed by the slate', () => {
  const far = applyRun(
    timeline,
    planned(planStopAt(onAirAt(timeline, 30), { ...schedule, endMs: ORIGIN_MS + 150_000 })),
  )

  const run = planned(planContinue(onAirAt(far, 40), aSchedule(100, one, two)))

  assert.equal(run.isEnd, false)
  assert.deepEqual(faultsOf(applyRun(far, run)), [])
})

test('every operation is rejected while the channel is off the air', () => {
  const rejected = { kind: 'rejected', reason: 'not_on_air' }

  for (const off of [onAirAt(aTimeline(), 0), onAirAt(stopped(30), 40)]) {
    assert.deepEqual(planOverride(off, anOverride()), rejected)
    assert.deepEqual(planRescue(off, someSlates().rescue, aCut), rejected)
    assert.deepEqual(planSchedule(off, schedule), rejected)
    assert.deepEqual(planStop(off), rejected)
  }
})

test('after the planned schedule, the rescue slate continues without end', () => {
  const YEARS = 10 * 365 * 86_400

  assert.equal(plannedUntil(timeline), at(192))
  assert.equal(listedAt(timeline, YEARS)!.length, 20)
  assert.ok(listedAt(timeline, YEARS)!.every((it) => it.startsWith('rescue/')))
})

test('before a stop after the planned schedule, the channel shows the schedule, not the slate', () => {
  const programs = [one, aProgram(64, 500, aVideo('two', 300), aVideo('three', 136))]
  const short = started(aSchedule(100, ...programs))

  const run = planned(
    planStopAt(onAirAt(short, 30), { ...aSchedule(100, ...programs), endMs: ORIGIN_MS + 500_000 }),
  )

  const stopping = applyRun(short, run)
  assert.equal(run.isEnd, true)
  assert.ok(listedAt(stopping, 480)!.every((it) => it.startsWith('three/')))
  assert.ok(Math.abs(plannedUntil(stopping)! - at(500)) <= ticks(0.8))
})

test('a change of the schedule neither ends an override nor revokes a stop', () => {
  const rejected = { kind: 'rejected', reason: 'not_following_schedule' }
  const stopping = applyRun(
    timeline,
    planned(planStopAt(onAirAt(timeline, 30), { ...schedule, endMs: ORIGIN_MS + 64_000 })),
  )

  assert.deepEqual(planSchedule(onAirAt(overridden(33), 40), schedule, ORIGIN_MS + 100_000), rejected)
  assert.deepEqual(planSchedule(onAirAt(stopping, 40), schedule, ORIGIN_MS + 100_000), {
    kind: 'rejected',
    reason: 'not_on_air',
  })
})

test('a channel that is about to start can be changed from the end of its pre-roll slate on', () => {
  const before = stopped(30)
  const starting = applyRun(before, planStart(onAirAt(before, 40), schedule))
  const shownFrom = starting.runs.at(-1)!.shownFromTicks!

  const run = planned(planOverride(onAirAt(starting, 41), anOverride()))

  assert.ok(shownFrom > at(60))
  assert.equal(run.startTicks, shownFrom)
})

test('a return during the pre-roll slate joins the schedule at the end of the slate', () => {
  const before = stopped(33)
  const starting = applyRun(before, planStart(onAirAt(before, 40), schedule))

  const run = planned(planSchedule(onAirAt(overridden(41, starting), 50), schedule))

  assert.deepEqual(describeSpans(run), ['67.2 two 1+39', '192.0 rescue 0+on'])
})

test('a start that is not visible yet can be revoked', () => {
  const before = stopped(30)
  const starting = applyRun(before, planStart(onAirAt(before, 40), schedule))

  const run = planned(planStop(onAirAt(starting, 41)))

  assert.deepEqual(applyRun(starting, run).runs, before.runs)
})

test('plannedUntil is undefined during an override, and the end of a channel that goes off the air', () => {
  assert.equal(plannedUntil(overridden(33)), undefined)
  assert.equal(plannedUntil(rescued(33)), undefined)
  assert.equal(plannedUntil(stopped(30)), at(32))
  assert.equal(plannedUntil(emptyTimeline), undefined)
})

/** All spans with their absolute discontinuity numbers, independent of the runs. */
const numbered = ({ runs }: Timeline) =>
  runs.flatMap((run) =>
    run.spans.map((span) => ({ ...span, discontinuity: run.discontinuity! + span.discontinuity })),
  )

test('a long override continues in a new span every 12 hours, without a visible change', () => {
  const override = overridden(30)
  const { startTicks } = override.runs.at(-1)!
  const afterHours = (hours: number) => (startTicks - at(0)) / 90_000 + hours * 3_600
  const onAir = (hours: number) => onAirAt(override, afterHours(hours), aView())
  assert.equal(planRenewal(onAir(11.99)), undefined)
  assert.equal(planRenewal(onAirAt(timeline, afterHours(13))), undefined)

  const renewed = applyRun(override, planned(planRenewal(onAir(12.01))!))

  const [first, second] = renewed.runs.slice(-2).map(({ spans }) => spans[0]!)
  assert.ok(first!.show.kind === 'live' && second!.show.kind === 'live')
  assert.equal(second!.show.firstSlot, first!.show.firstSlot + first!.segments)
  assert.equal(second!.show.joinedSlot, first!.show.joinedSlot)
  assert.deepEqual(second!.airing, first!.airing)
  const before = afterHours(12.01)
  assert.equal(numberAt(renewed, before + 60, aView()), numberAt(override, before + 60, aView()))
  assert.deepEqual(listedAt(renewed, before + 10, 32, aView()), listedAt(override, before + 10, 32, aView()))
})
