import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aMedia, at } from '../schedule/testing/a-schedule.ts'
import { ticksOf } from '../time/ticks.ts'
import { noLive } from './discontinuity.ts'
import { pictureAt } from './picture.ts'
import { emptyTimeline, type Timeline } from './run.ts'
import { anyHistory, historyView, playHistory } from './testing/a-history.ts'
import { aLiveRun, aRun, loops, plays } from './testing/a-run.ts'
import { aLog, aTimeline, aView } from './testing/a-timeline.ts'
import { printAt } from './testing/print-at.ts'

const picturesAt = (timeline: Timeline, seconds: readonly number[], live = noLive) =>
  seconds.map((second) => pictureAt(timeline, at(second), live))

test('the picture is that of the last segment that has ended', () => {
  // The film is at 0 to 9.6 s, from its sixth segment on; the slate of ten segments of 1.6 s follows.
  const timeline = aTimeline(aRun({ startSeconds: 0 }, plays('film', 3, 5), loops('fill', 12)))

  assert.deepEqual(picturesAt(timeline, [3.1, 3.2, 6.39, 9.6, 11.1, 11.2, 25.6, 27.2]), [
    undefined,
    'film/stills/00005.jpg',
    'film/stills/00005.jpg',
    'film/stills/00007.jpg',
    'film/stills/00007.jpg',
    'fill/stills/00000.jpg',
    'fill/stills/00009.jpg',
    'fill/stills/00000.jpg',
  ])
})

test('a cut replaces the pictures after it, and none before', () => {
  const before = aTimeline(aRun({ startSeconds: 0 }, plays('film', 10)))
  const cut = aRun({ number: 2, sequence: 2, startSeconds: 6.4, discontinuity: 1 }, loops('rescue', 9))
  const after = aTimeline(aRun({ startSeconds: 0 }, plays('film', 10)), cut)

  assert.deepEqual(picturesAt(before, [6.4, 9.6]), ['film/stills/00001.jpg', 'film/stills/00002.jpg'])
  assert.deepEqual(picturesAt(after, [6.4, 8, 9.6]), [
    'film/stills/00001.jpg',
    'rescue/stills/00000.jpg',
    'rescue/stills/00001.jpg',
  ])
})

test('a live channel has the picture of the slot, of the fill where it has no media, of the slate in a break', () => {
  const slate = aMedia('ad-slots', 16)
  const timeline = aTimeline(aLiveRun({ firstSlot: 553_871_250 }))
  const live = aView(
    aLog([553_871_251], [{ firstSlot: 553_871_252, plannedSlots: 2, endSlot: 553_871_254, slate }]),
  )

  assert.deepEqual(picturesAt(timeline, [3.2, 6.4, 9.6, 12.8, 16], live), [
    'live/north/stills/553871250.jpg',
    // Slot 553871251 of a fill of five segments.
    'fill/stills/00001.jpg',
    'ad-slots/stills/00000.jpg',
    'ad-slots/stills/00001.jpg',
    'live/north/stills/553871254.jpg',
  ])
})

test('a channel has a picture from its start to a minute after its end, like its playlists', () => {
  const timeline = aTimeline(
    aRun({ startSeconds: -16, shownFromSeconds: 0, isEnd: true }, loops('lead', 10), plays('film', 10)),
  )

  assert.equal(pictureAt(emptyTimeline, at(0), noLive), undefined)
  assert.deepEqual(picturesAt(timeline, [-0.1, 0, 32, 91.9, 92]), [
    undefined,
    'lead/stills/00009.jpg',
    'film/stills/00009.jpg',
    'film/stills/00009.jpg',
    undefined,
  ])
})

test('for any history of a channel, the picture is that of the last segment of its playlist', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(120_000), (steps, waitMs) => {
      for (const { atMs, after } of playHistory(steps)) {
        const nowMs = atMs + waitMs
        const text = printAt(after, nowMs, { windowMs: 32_000, policy: 'ACTUAL' }, historyView)
        const lastLine = text?.split('\n').findLast((line) => line.endsWith('.ts'))
        const expected = lastLine?.replace('/media/', '').replace('/720p/', '/stills/').replace('.ts', '.jpg')

        assert.equal(pictureAt(after, ticksOf(nowMs), historyView), expected)
      }
    }),
    { numRuns: 60 },
  )
})
