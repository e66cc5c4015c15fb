import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planSchedule, planStart } from '../../planning/plan.ts'
import { aPod, aProgram, at, aVideo, ORIGIN_MS } from '../../schedule/testing/a-schedule.ts'
import { ticksOf } from '../../time/ticks.ts'
import { noLive } from '../discontinuity.ts'
import { nextChangeTicks } from '../next-change.ts'
import { emptyTimeline, type Run, type Timeline } from '../run.ts'
import { skipAhead } from '../skip-ahead.ts'
import { aSchedule, onAirAt, planned, started } from '../testing/control-room.ts'
import { printAt, someOutputs } from '../testing/print-at.ts'
import { applyPacked, emptyPacked, type PackedTimeline, unpackBetween } from './packed.ts'
import { takeOver } from './take-over.ts'

const packed = (...runs: readonly Run[]): PackedTimeline => runs.reduce(applyPacked, emptyPacked)
const unpackAll = (timeline: PackedTimeline): Timeline => unpackBetween(timeline, 0, Number.MAX_SAFE_INTEGER)!

const schedule = aSchedule(7_200)
const published = started(schedule)
/** A restored control room that has only the first run, at second 600. */
const restart = planStart(
  onAirAt({ ...emptyTimeline, version: 1 }, 600),
  schedule,
  skipAhead(published.runs[0]!, at(660)),
)

test('the published timeline stays listed until the restart is shown, then only the restart is listed', () => {
  const merged = unpackAll(takeOver(packed(...published.runs), packed(restart)))

  for (const output of someOutputs) {
    for (let ms = 600_000; ms <= 601_499; ms += 100)
      assert.equal(
        printAt(merged, ORIGIN_MS + ms, output, noLive),
        printAt(published, ORIGIN_MS + ms, output, noLive),
      )
    const alone = unpackAll(packed(restart))
    for (let ms = 601_500; ms <= 640_000; ms += 700)
      assert.equal(
        printAt(merged, ORIGIN_MS + ms, output, noLive),
        printAt(alone, ORIGIN_MS + ms, output, noLive),
      )
  }
})

test('the restart does not continue a published ad break, wherever in the break it occurs', () => {
  const program = aProgram(600, 900, aVideo('first', 64), aPod(32), aVideo('second', 200))
  const aired = started(aSchedule(7_200, program))
  let markedBefore = 0

  for (let second = 664; second < 760; second += 3) {
    const next = planStart(
      onAirAt({ ...emptyTimeline, version: 1 }, second),
      schedule,
      skipAhead(aired.runs[0]!, at(second + 60)),
    )
    const merged = unpackAll(takeOver(packed(...aired.runs), packed(next)))
    const alone = unpackAll(packed(next))
    for (const output of someOutputs) {
      if (printAt(merged, ORIGIN_MS + second * 1_000, output, noLive)?.includes('-CONT')) markedBefore += 1
      for (
        let ms = Math.ceil(next.shownFromTicks! / 90);
        ms <= ORIGIN_MS + second * 1_000 + 40_000;
        ms += 900
      ) {
        assert.equal(printAt(merged, ms, output, noLive), printAt(alone, ms, output, noLive))
      }
    }
  }
  assert.ok(markedBefore > 5, `${markedBefore}`)
})

test('a playlist printed before the restart expires when the restart is shown', () => {
  const merged = unpackAll(takeOver(packed(...published.runs), packed(restart)))

  assert.ok(nextChangeTicks(merged, ticksOf(ORIGIN_MS + 601_400)) <= restart.shownFromTicks!)
})

test('the published timeline stays listed also if a run has just begun', () => {
  const cut = planned(planSchedule(onAirAt(published, 598), schedule))
  const just = published.runs.concat(cut).reduce(applyPacked, emptyPacked)
  const shownFromTicks = just.runs.at(-1)!.startTicks + 90_000
  const late = { ...restart, shownFromTicks, startTicks: shownFromTicks - ticksOf(32_000) }

  const { runs } = takeOver(just, packed(late))

  assert.equal(runs.at(-2)!.endSequence, cut.firstSequence)
})

test('nothing that was planned after the restart is kept', () => {
  const { runs } = takeOver(packed(...published.runs), packed(restart))

  assert.equal(runs.length, 2)
  assert.ok(runs[0]!.endTicks <= restart.shownFromTicks!)
  assert.ok(runs[0]!.endSequence <= restart.firstSequence)
})

test('a timeline that continues the published one is not changed', () => {
  const cut = planned(planSchedule(onAirAt(published, 600), schedule))
  const next = packed(...published.runs, { ...cut, number: 2 })

  assert.equal(takeOver(packed(...published.runs), next), next)
})

test('a restart whose numbers are not above the published ones replaces the timeline', () => {
  const low = planStart(onAirAt({ ...emptyTimeline, version: 1 }, 600), schedule)

  assert.deepEqual(takeOver(packed(...published.runs), packed(low)), packed(low))
})
