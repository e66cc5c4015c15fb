import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { noLive } from '../timeline/discontinuity.ts'
import { anyHistory, historyView, playHistory } from '../timeline/testing/a-history.ts'
import { aLiveRun, aRun, breaksFor, plays } from '../timeline/testing/a-run.ts'
import { aLog, aTimeline, aView } from '../timeline/testing/a-timeline.ts'
import { printAt, printParamsAt, someOutputs } from '../timeline/testing/print-at.ts'
import { shiftDates } from '../timeline/testing/shift-dates.ts'
import type { Markers } from './markers.ts'
import { printDelta, printPlaylist, styleOf } from './media-playlist.ts'
import { createSegmentTexts } from './segment-texts.ts'

/** A video, a pod, and a live source that stalls in its third slot. */
const live = aView(aLog([102]))
const timeline = aTimeline(
  aRun({ sequence: 40, discontinuity: 7 }, plays('one', 3), breaksFor(2)),
  aLiveRun({ number: 2, sequence: 45, startSeconds: 12.8, discontinuity: 9 }),
)

const printWith = (markers: Markers): string =>
  printAt(timeline, ORIGIN_MS + 22_400, { windowMs: 20_000, markers }, live)!

const BOTH = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-TARGETDURATION:5
#EXT-X-MEDIA-SEQUENCE:40
#EXT-X-DISCONTINUITY-SEQUENCE:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-DATERANGE:ID="break-43",START-DATE="2026-01-01T00:00:09.600Z",PLANNED-DURATION=3.200,SCTE35-OUT=0xFC3020000000000000FFFFF00F054000002B7FF7FE0004650000000000000081D21BB3
#EXT-X-DATERANGE:ID="break-43",START-DATE="2026-01-01T00:00:09.600Z",DURATION=3.200,SCTE35-IN=0xFC301B000000000000FFFFF00A054000002B7F570000000000007E8E6E2E
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
#EXTINF:3.200000,
/media/one/720p/00000.ts
#EXTINF:3.200000,
/media/one/720p/00001.ts
#EXTINF:3.200000,
/media/one/720p/00002.ts
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:09.600Z
#EXT-X-CUE-OUT:DURATION=3.200
#EXTINF:1.600000,
/media/ad/720p/00000.ts
#EXT-X-CUE-OUT-CONT:ElapsedTime=1.600,Duration=3.200
#EXTINF:1.600000,
/media/ad/720p/00001.ts
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:12.800Z
#EXT-X-CUE-IN
#EXTINF:3.200000,
/media/live/north/720p/100.ts
#EXTINF:3.200000,
/media/live/north/720p/101.ts
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:19.200Z
#EXTINF:3.200000,
/media/fill/720p/00002.ts
`

const without = (...tags: readonly string[]): string =>
  BOTH.split('\n')
    .filter((line) => !tags.some((tag) => line.startsWith(tag)))
    .join('\n')

test('a media playlist lists the window, with a date at its start and at every discontinuity', () => {
  assert.equal(printWith('BOTH'), BOTH)
})

test('an output has the markers of its settings, and everything else is the same', () => {
  assert.equal(printWith('DATERANGE'), without('#EXT-X-CUE'))
  assert.equal(printWith('CUE'), without('#EXT-X-DATERANGE'))
  assert.equal(printWith('NONE'), without('#EXT-X-CUE', '#EXT-X-DATERANGE'))
})

test('with a delay only the dates are later', () => {
  const params = printParamsAt(timeline, ORIGIN_MS + 22_400, { windowMs: 20_000 }, live)!
  const delayMs = 23 * 3_600_000 + 1_000

  const text = printPlaylist({ ...params, style: styleOf(3_200, 20_000, 'BOTH', delayMs) })

  assert.equal(text, shiftDates(BOTH, delayMs))
  assert.match(text, /START-DATE="2026-01-01T23:00:10.600Z",PLANNED/)
})

test('a break that is announced has a date range before any of its segments is listed', () => {
  const announced = printAt(timeline, ORIGIN_MS + 9_600, { windowMs: 20_000 }, live)!

  assert.match(announced, /#EXT-X-DATERANGE:ID="break-43"/)
  assert.doesNotMatch(announced, /SCTE35-IN|EXT-X-CUE/)
})

test('only the last playlist of a channel has EXT-X-ENDLIST', () => {
  const ended = aTimeline(aRun({ isEnd: true }, plays('one', 5)))
  const textAt = (seconds: number) =>
    printAt(ended, ORIGIN_MS + seconds * 1_000, { windowMs: 32_000 }, noLive)!

  assert.doesNotMatch(textAt(16 + 1.499), /ENDLIST/)
  assert.ok(textAt(16 + 1.5).endsWith('\n/media/one/720p/00004.ts\n#EXT-X-ENDLIST\n'))
})

test('the target duration is that of the house format, whatever is listed', () => {
  const params = printParamsAt(timeline, ORIGIN_MS + 22_400, { windowMs: 20_000 }, live)!

  assert.match(printPlaylist(params), /^#EXT-X-TARGETDURATION:5$/m)
  assert.match(
    printPlaylist({ ...params, style: styleOf(6_400, 20_000, 'BOTH') }),
    /^#EXT-X-TARGETDURATION:8$/m,
  )
})

/** A hundred segments with joins after 30 and 91 of them. */
const long = aTimeline(aRun({}, plays('one', 30), plays('two', 61), plays('three', 9)))

test('a delta update skips segments older than six target durations', () => {
  const params = printParamsAt(long, ORIGIN_MS + 320_000, { windowMs: 160_000 }, noLive)!

  const [full, delta] = [printPlaylist(params), printDelta(params)]

  assert.match(delta, /^#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=30\.0$/m)
  // Of 50 segments, ten remain, which are 32 s.
  assert.match(delta, /^#EXT-X-SKIP:SKIPPED-SEGMENTS=40$/m)
  assert.ok(full.endsWith(delta.slice(delta.indexOf('#EXTINF'))))
})

test('a long window has CAN-SKIP-UNTIL and version 9; a short one has neither', () => {
  const longWindow = printAt(long, ORIGIN_MS + 320_000, { windowMs: 120_000 }, noLive)!
  const shortWindow = printAt(long, ORIGIN_MS + 320_000, { windowMs: 119_999 }, noLive)!

  assert.match(
    longWindow,
    /^#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:5\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=30\.0$/m,
  )
  assert.match(shortWindow, /^#EXT-X-VERSION:6$/m)
  assert.doesNotMatch(shortWindow, /SERVER-CONTROL/)
})

test('a short window, an incomplete one and the last one have no delta update', () => {
  const ended = aTimeline(aRun({ isEnd: true }, plays('one', 90)))
  const paramsList = [
    printParamsAt(long, ORIGIN_MS + 320_000, { windowMs: 32_000 }, noLive)!,
    printParamsAt(long, ORIGIN_MS + 28_800, { windowMs: 160_000 }, noLive)!,
    printParamsAt(ended, ORIGIN_MS + 289_500, { windowMs: 160_000 }, noLive)!,
  ]

  for (const params of paramsList) assert.equal(printDelta(params), printPlaylist(params))
})

test('a delta update equals the playlist without the skipped segments', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      for (const { atMs, after } of playHistory(steps)) {
        const params = printParamsAt(after, atMs + 100_000, someOutputs[1], historyView)
        if (params !== undefined)
          assert.equal(printDelta(params), skipIn(printPlaylist(params), printDelta(params)))
      }
    }),
    { numRuns: 60 },
  )
})

test('playlists do not depend on what is cached', () => {
  const [warm, tight] = [1_000_000, 3_000].map((keptCharacters) =>
    createSegmentTexts({ mediaBase: '/media/', keptCharacters }),
  )
  fc.assert(
    fc.property(anyHistory, fc.constantFrom(...someOutputs), (steps, output) => {
      for (const { atMs, after } of playHistory(steps)) {
        const cold = createSegmentTexts({ mediaBase: '/media/', keptCharacters: 1_000_000 })
        const [first, ...others] = [cold, cold, warm!, tight!].map((texts) =>
          printAt(after, atMs + 10_000, { ...output, texts }, historyView),
        )
        for (const other of others) assert.equal(other, first)
      }
    }),
    { numRuns: 60 },
  )
})

test('every character is ASCII, so that the length of a text is its number of bytes', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      for (const { atMs, after } of playHistory(steps)) {
        const text = printAt(after, atMs + 10_000, someOutputs[1], historyView) ?? ''
        assert.match(text, /^[\n -~]*$/)
      }
    }),
    { numRuns: 60 },
  )
})

/** The expected delta update: the head, the number of skipped segments, and the lines of all others. */
function skipIn(full: string, delta: string): string {
  const count = Number(/SKIPPED-SEGMENTS=(\d+)/.exec(delta)?.[1] ?? 0)
  if (count === 0) return full
  const headLength = full.indexOf('#EXT-X-PROGRAM-DATE-TIME')
  const segments = full.slice(headLength).split(/(?<=\.ts\n)/)
  return `${full.slice(0, headLength)}#EXT-X-SKIP:SKIPPED-SEGMENTS=${count}\n${segments.slice(count).join('')}`
}

test('a window is at least three target durations, whatever is configured', () => {
  assert.equal(styleOf(6_400, 15_000, 'NONE').windowTicks, 24 * 90_000)
  assert.equal(styleOf(3_200, 15_000, 'NONE').windowTicks, 15 * 90_000)
  assert.equal(styleOf(6_400, 32_000, 'NONE').windowTicks, 32 * 90_000)
})
