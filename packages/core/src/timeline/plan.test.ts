import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPod, aProgram, at, aVideo, ORIGIN_MS, someSlates, ticks } from '../schedule/testing/a-schedule.ts'
import { noLive } from './discontinuity.ts'
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
import { reachOf } from './reach.ts'
import { applyRun, emptyTimeline, endSequenceOf, endTicksOf, type Timeline } from './run.ts'
import type { LiveShow } from './span.ts'
import { aTimeline, aView, listedAt, numberAt, toldSpans } from './testing/a-timeline.ts'
import { aCut, anOverride, aSchedule, onAirAt, planned, started } from './testing/control-room.ts'
import { faultsOf } from './timeline-faults.ts'
import { windowAt } from './window.ts'

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

test('a channel starts with a lead of slate, and then the schedule where it now is', () => {
  const run = planStart(onAirAt(emptyTimeline, 20 - 1.5), schedule)

  assert.deepEqual(toldSpans(run), [
    '-12.0 rescue 0+20',
    '20.0 one 6+14',
    '64.8 two 0+40',
    '192.8 rescue 0+on',
  ])
})

test('a channel is on the air a guard from now, and its first window is whole', () => {
  assert.equal(listedAt(timeline, -MS), undefined)
  assert.deepEqual(
    listedAt(timeline, 0),
    Array.from({ length: 20 }, (_, number) => `rescue/${number}`),
  )
})

test('a restart goes on with both numbers, and never within what was shown before', () => {
  const before = stopped(30)
  const end = before.runs.at(-1)!

  const run = planStart(onAirAt(before, 33), schedule)

  assert.equal(run.firstSequence, endSequenceOf(end))
  assert.equal(run.startTicks, endTicksOf(end))
  assert.equal(run.discontinuity, numberAt(before, 40)! + 1)
  assert.deepEqual(faultsOf(applyRun(before, run)), [])
})

test('a restart after a long time is on the air a guard from now', () => {
  const run = planStart(onAirAt(stopped(30), 100), schedule)

  assert.equal(run.shownFromTicks, at(101.5))
  assert.equal(run.startTicks, at(101.5 - 32))
})

/** A channel whose boundaries lie so long after those of the slots. */
const startedAt = (phase: number): Timeline =>
  applyRun(emptyTimeline, planStart(onAirAt(emptyTimeline, phase - 1.5), schedule))

test('an override shows the slot that lies behind by the lag, and the next ones for ever', () => {
  const run = planned(planOverride(onAirAt(startedAt(2), 34), anOverride()))

  // At second 34 it is the slot that second 31.5 lies in.
  const slot = Math.floor((ORIGIN_MS + 31_500) / 3_200)
  assert.deepEqual(toldSpans(run), [`34.0 north ${slot}+on`])
})

test('a slot is never listed before it has been settled for a guard', () => {
  for (let phase = 0; phase < 3.2; phase += 0.1) {
    const { spans, startTicks } = planned(planOverride(onAirAt(startedAt(phase), 34), anOverride()))
    const show = spans[0]!.show as LiveShow
    const settledTicks = (show.firstSlot + 1) * show.slotTicks + ticks(1 + 1.5)

    const behindTicks = startTicks + show.slotTicks - settledTicks
    assert.ok(behindTicks >= 0 && behindTicks < show.slotTicks)
  }
})

test('a second override of the same source goes on without a discontinuity', () => {
  const twice = overridden(46, overridden(33))

  assert.equal(lastShow(twice).joinedSlot, lastShow(overridden(33)).firstSlot)
  assert.equal(numberAt(twice, 60, aView()), numberAt(overridden(33), 60, aView()))
  assert.deepEqual(listedAt(twice, 60, 32, aView()), listedAt(overridden(33), 60, 32, aView()))
})

test('an override of another source comes to it anew', () => {
  const once = overridden(33)
  const run = planned(planOverride(onAirAt(once, 46), anOverride('south')))
  const show = run.spans[0]!.show as LiveShow

  assert.equal(show.joinedSlot, show.firstSlot)
  assert.equal(numberAt(applyRun(once, run), 48, aView()), numberAt(once, 48, aView())! + 1)
})

test('a source whose slots have another length now is joined anew', () => {
  const once = overridden(33)
  const run = planned(planOverride(onAirAt(once, 46), { ...anOverride(), slotMs: 6_400 }))
  const show = run.spans[0]!.show as LiveShow

  assert.notEqual(show.firstSlot, lastShow(once).firstSlot)
  assert.equal(show.joinedSlot, show.firstSlot)
})

test('the rescue slate takes over from its first segment, and stays', () => {
  assert.deepEqual(rescued(33).runs.map(toldSpans).at(-1), ['35.2 rescue 0+on'])
  assert.equal(
    listedAt(rescued(33), 99_999)!.every((it) => it.startsWith('rescue/')),
    true,
  )
})

test('a return joins the schedule where it now is', () => {
  const run = planned(planSchedule(onAirAt(rescued(33), 100), schedule))

  assert.deepEqual(toldSpans(run), ['100.8 two 11+28', '190.4 fill 0+1', '192.0 rescue 0+on'])
})

test('a return to time that no program covers shows what fills it', () => {
  const run = planned(planSchedule(onAirAt(rescued(33), 180), aSchedule(200, one)))

  assert.deepEqual(toldSpans(run).at(0)?.split(' ').slice(1), ['fill', '0+12'])
})

test('a program that is replaced in the future leaves all before it as it was', () => {
  const replaced = aSchedule(192, one, aProgram(64, 192, aVideo('three', 128)))

  const run = planned(planSchedule(onAirAt(timeline, 10), replaced, ORIGIN_MS + 64_000))

  assert.deepEqual(toldSpans(run), ['64.0 three 0+40', '192.0 rescue 0+on'])
  assert.deepEqual(listedAt(applyRun(timeline, run), 64), listedAt(timeline, 64))
})

test('a program that is replaced goes from where it begins, be that before its time or after it', () => {
  for (const [seconds, begins] of [
    [64.5, 64],
    [65, 65.6],
  ] as const) {
    const first = aProgram(0, seconds, aVideo('one', 64))
    const before = started(aSchedule(192, first, aProgram(seconds, 192, aVideo('two', 120))))
    const replaced = aSchedule(192, first, aProgram(seconds, 192, aVideo('three', 120)))

    const run = planned(planSchedule(onAirAt(before, 10), replaced, ORIGIN_MS + seconds * 1_000))

    assert.match(toldSpans(run)[0]!, new RegExp(`^${begins.toFixed(1)} three 0`))
  }
})

test('what is planned on from where a plan ends is the same as if it had been planned at once', () => {
  const programs = [one, two, aProgram(200, 500, aVideo('three', 100), aPod(30), aVideo('four', 150))]
  const first = started(aSchedule(100, ...programs))
  const reach = reachOf(first)!

  const run = planned(planSchedule(onAirAt(first, 50), aSchedule(500, ...programs), Math.floor(reach / 90)))

  assert.equal(run.startTicks, reach)
  assert.deepEqual(numbered(applyRun(first, run)), numbered(started(aSchedule(500, ...programs))))
})

test('what begins after the end of a plan is planned from that end on', () => {
  const first = started(aSchedule(64, one))
  const later = aSchedule(500, one, aProgram(300, 500, aVideo('three', 200)))

  const run = planned(planSchedule(onAirAt(first, 50), later, ORIGIN_MS + 300_000))

  assert.equal(run.startTicks, reachOf(first))
})

test('a stop takes the channel off at the next boundary', () => {
  const run = planned(planStop(onAirAt(timeline, 30)))

  assert.deepEqual([run.startTicks, run.spans, run.isEnd], [at(32), [], true])
  assert.equal(windowAt(applyRun(timeline, run), at(33.5), ticks(32), noLive)?.isEnded, true)
})

test('a stop at the end of a program takes the channel off behind its last segment', () => {
  const run = planned(planStopAt(onAirAt(timeline, 30), { ...schedule, endMs: ORIGIN_MS + 64_000 }))

  const window = windowAt(applyRun(timeline, run), at(70), ticks(32), noLive)
  assert.deepEqual([window?.endTicks, window?.isEnded], [at(64), true])
})

test('a stop that has not come yet can be taken back', () => {
  const stopping = applyRun(
    timeline,
    planned(planStopAt(onAirAt(timeline, 30), { ...schedule, endMs: ORIGIN_MS + 64_000 })),
  )

  const run = planned(planSchedule(onAirAt(stopping, 40), schedule))

  assert.deepEqual(listedAt(applyRun(stopping, run), 70), listedAt(timeline, 70))
})

test('an end is taken back up to the millisecond before it, and the channel shows what it would have shown', () => {
  for (const seconds of [30, 31, 31.999]) {
    const run = planned(planContinue(onAirAt(stopped(30), seconds), schedule))

    assert.deepEqual([run.startTicks, run.isEnd], [at(32), false])
    const continued = applyRun(stopped(30), run)
    for (const later of [32, 33.5, 40, 150])
      assert.deepEqual(listedAt(continued, later), listedAt(timeline, later))
    assert.deepEqual(faultsOf(continued), [])
  }
})

test('an end that has come is not taken back, nor is there one on a channel that goes on or never started', () => {
  const refused = { kind: 'refused', reason: 'not_on_air' }

  assert.deepEqual(planContinue(onAirAt(stopped(30), 32), schedule), refused)
  assert.deepEqual(planContinue(onAirAt(timeline, 30), schedule), refused)
  assert.deepEqual(planContinue(onAirAt(emptyTimeline, 30), schedule), refused)
})

test('an ad break where an end is taken back is announced when every node can know of it', () => {
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

test('an end that lies beyond all that is to be planned is taken back to the slate behind it', () => {
  const far = applyRun(
    timeline,
    planned(planStopAt(onAirAt(timeline, 30), { ...schedule, endMs: ORIGIN_MS + 150_000 })),
  )

  const run = planned(planContinue(onAirAt(far, 40), aSchedule(100, one, two)))

  assert.equal(run.isEnd, false)
  assert.deepEqual(faultsOf(applyRun(far, run)), [])
})

test('whatever is ordered is refused where the channel is not on the air', () => {
  const refused = { kind: 'refused', reason: 'not_on_air' }

  for (const off of [onAirAt(aTimeline(), 0), onAirAt(stopped(30), 40)]) {
    assert.deepEqual(planOverride(off, anOverride()), refused)
    assert.deepEqual(planRescue(off, someSlates().rescue, aCut), refused)
    assert.deepEqual(planSchedule(off, schedule), refused)
    assert.deepEqual(planStop(off), refused)
  }
})

test('after what was planned the rescue slate goes on for ever', () => {
  const YEARS = 10 * 365 * 86_400

  assert.equal(reachOf(timeline), at(192))
  assert.equal(listedAt(timeline, YEARS)!.length, 20)
  assert.ok(listedAt(timeline, YEARS)!.every((it) => it.startsWith('rescue/')))
})

test('a stop beyond what was planned has the schedule before it, and not the slate', () => {
  const programs = [one, aProgram(64, 500, aVideo('two', 300), aVideo('three', 136))]
  const short = started(aSchedule(100, ...programs))

  const run = planned(
    planStopAt(onAirAt(short, 30), { ...aSchedule(100, ...programs), endMs: ORIGIN_MS + 500_000 }),
  )

  const stopping = applyRun(short, run)
  assert.equal(run.isEnd, true)
  assert.ok(listedAt(stopping, 480)!.every((it) => it.startsWith('three/')))
  assert.ok(Math.abs(reachOf(stopping)! - at(500)) <= ticks(0.8))
})

test('a change of the schedule neither ends an override nor takes back a stop', () => {
  const refused = { kind: 'refused', reason: 'not_following_schedule' }
  const stopping = applyRun(
    timeline,
    planned(planStopAt(onAirAt(timeline, 30), { ...schedule, endMs: ORIGIN_MS + 64_000 })),
  )

  assert.deepEqual(planSchedule(onAirAt(overridden(33), 40), schedule, ORIGIN_MS + 100_000), refused)
  assert.deepEqual(planSchedule(onAirAt(stopping, 40), schedule, ORIGIN_MS + 100_000), {
    kind: 'refused',
    reason: 'not_on_air',
  })
})

test('a channel that is about to start takes orders, from the end of its lead on', () => {
  const before = stopped(30)
  const starting = applyRun(before, planStart(onAirAt(before, 40), schedule))
  const shownFrom = starting.runs.at(-1)!.shownFromTicks!

  const run = planned(planOverride(onAirAt(starting, 41), anOverride()))

  assert.ok(shownFrom > at(60))
  assert.equal(run.startTicks, shownFrom)
})

test('a return that is ordered in the lead joins at its end what has begun by then', () => {
  const before = stopped(33)
  const starting = applyRun(before, planStart(onAirAt(before, 40), schedule))

  const run = planned(planSchedule(onAirAt(overridden(41, starting), 50), schedule))

  assert.deepEqual(toldSpans(run), ['67.2 two 1+39', '192.0 rescue 0+on'])
})

test('a start that nobody has seen yet can be taken back', () => {
  const before = stopped(30)
  const starting = applyRun(before, planStart(onAirAt(before, 40), schedule))

  const run = planned(planStop(onAirAt(starting, 41)))

  assert.deepEqual(applyRun(starting, run).runs, before.runs)
})

test('nothing is planned up to an end in an override; a channel that goes off is planned up to that', () => {
  assert.equal(reachOf(overridden(33)), undefined)
  assert.equal(reachOf(rescued(33)), undefined)
  assert.equal(reachOf(stopped(30)), at(32))
  assert.equal(reachOf(emptyTimeline), undefined)
})

/** All spans with the numbers that they have in the whole, however they lie in runs. */
const numbered = ({ runs }: Timeline) =>
  runs.flatMap((run) =>
    run.spans.map((span) => ({ ...span, discontinuity: run.discontinuity! + span.discontinuity })),
  )

test('an override that lasts is carried on in a new span twice a day, and viewers notice nothing', () => {
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
