import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noReport } from './cmcd.ts'
import { addHeartbeat, type Heartbeat, type Viewing, type WatchedInterval } from './heartbeat.ts'

const GAP_MS = 15_000

const aBeat = (atMs: number, fields: Partial<Heartbeat> = {}): Heartbeat => ({
  atMs,
  shiftMs: 0,
  ...noReport,
  ...fields,
})

function follow(beats: readonly Heartbeat[], mintedMs = beats[0]?.atMs ?? 0) {
  const watched: WatchedInterval[] = []
  let viewing: Viewing | undefined
  let starts = 0
  for (const beat of beats) {
    const step = addHeartbeat(viewing, beat, { maxGapMs: GAP_MS, mintedMs })
    viewing = step.viewing
    if (step.watched !== undefined) watched.push(step.watched)
    if (step.isStart) starts += 1
  }
  return { watched, starts, ms: watched.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) }
}

const times = (...seconds: readonly number[]) => seconds.map((it) => aBeat(it * 1_000))

test('time between heartbeats counts as watched if they are at most three target durations apart', () => {
  assert.equal(follow(times(0, 5, 10)).ms, 10_000)
  assert.equal(follow(times(0, 15)).ms, 15_000)
  assert.equal(follow(times(0, 15.001)).ms, 0)
  assert.equal(follow(times(0, 5, 60, 65)).ms, 10_000)
})

test('the first heartbeat counts nothing, nor do reloads and renditions at the same time', () => {
  assert.deepEqual(follow(times(5)), { watched: [], starts: 0, ms: 0 })
  assert.equal(follow(times(0, 0, 0, 5, 5)).ms, 5_000)
})

test('a jump to another time of the channel counts nothing', () => {
  const beats = [aBeat(0), aBeat(5_000, { shiftMs: 10_000 }), aBeat(8_000, { shiftMs: 10_000 })]

  assert.deepEqual(follow(beats).watched, [{ startMs: 5_000, endMs: 8_000, method: 'HEARTBEAT' }])
})

test('a clock that is set back or ahead adds no watched time', () => {
  assert.equal(follow(times(100, 105, 30, 35)).ms, 10_000)
  assert.equal(follow(times(100, 105, 4_000, 4_005)).ms, 10_000)

  const steady = [100, 105, 30, 35, 40].map((second) => aBeat(second * 1_000, { bufferMs: 20_000 }))
  assert.equal(follow(steady).ms, 15_000)
})

test('a session starts with its second heartbeat, once, and only soon after it was minted', () => {
  assert.equal(follow(times(0, 5, 10)).starts, 1)
  assert.equal(follow(times(0)).starts, 0)
  assert.equal(follow(times(0, 60)).starts, 1)
  assert.equal(follow(times(0, 60.001)).starts, 0)
  assert.equal(follow(times(100, 105), 0).starts, 0)
})

test('from a reported pause to the next report, nothing is watched', () => {
  const beats = [
    aBeat(0, { isPaused: false }),
    aBeat(5_000, { isPaused: true }),
    aBeat(10_000, { isPaused: true }),
    aBeat(15_000, { isPaused: false }),
    aBeat(20_000),
    aBeat(25_000),
  ]

  assert.deepEqual(follow(beats).watched, [
    { startMs: 0, endMs: 5_000, method: 'CMCD_V2' },
    { startMs: 15_000, endMs: 20_000, method: 'CMCD_V2' },
    { startMs: 20_000, endMs: 25_000, method: 'HEARTBEAT' },
  ])
})

/** Heartbeats every 4 s with these buffers in seconds. */
const buffers = (...seconds: readonly number[]) =>
  seconds.map((it, at) => aBeat(at * 4_000, { bufferMs: it * 1_000 }))

const secondsOf = (beats: readonly Heartbeat[]) => follow(beats).ms / 1_000

test('growth of a buffer above three target durations is not watched time', () => {
  // Plays, pauses before the third, has a full buffer at the seventh, resumes before the ninth.
  const { watched } = follow(buffers(15, 15, 19, 23, 27, 31, 35, 35, 34.8, 34.9))

  assert.deepEqual(
    watched.map(({ startMs, endMs }) => [startMs / 4_000, endMs - startMs]),
    [
      [0, 4_000],
      [7, 4_000],
      [8, 4_000],
    ],
  )
  assert.ok(watched.every(({ method }) => method === 'CMCD_V1'))
})

test('growth by whole segments adds up to the pause, whenever it is reported', () => {
  // Like hls.js: every 3.2 s near the edge, every 5 s behind it, with the buffer of the previous request.
  const times = [0, 3.2, 6.4, 8, 10.5, 13.7, 18.7, 23.7, 28.7, 33.7, 38.7]
  const bufferSeconds = [15.4, 16.4, 16, 14.9, 14.9, 18.4, 21.6, 26.4, 28.7, 28.4, 28.3]
  const beats = times.map((it, at) => aBeat(it * 1_000, { bufferMs: bufferSeconds[at]! * 1_000 }))

  // The buffer has grown by 12.9 s in all; the last decreases, of 0.4 s, are set off against later growth.
  assert.equal(follow(beats).ms, 25_400)
})

test('a buffer that is filled at the start, that is steady, or whose player jumps is not a pause', () => {
  assert.equal(secondsOf(buffers(0, 9, 12, 15, 15, 14)), 20)
  assert.equal(secondsOf(buffers(0, 28, 28, 28)), 12)
  assert.equal(secondsOf(buffers(30, 30, 15, 15, 14.9, 15)), 20)
  assert.equal(secondsOf(buffers(25, 23, 25, 23, 25)), 16)
})

test('a buffer that is dropped for another rendition and filled again in steps is not a pause', () => {
  const seconds = (bufferSeconds: readonly number[], times: readonly number[]) =>
    secondsOf(times.map((it, at) => aBeat(it * 1_000, { bufferMs: bufferSeconds[at]! * 1_000 })))

  assert.equal(seconds([24, 2, 20, 24, 24], [0, 3.2, 4.8, 8, 11.2]), 11.2)
  assert.equal(seconds([24, 2, 24, 24, 24], [0, 3.2, 4.8, 8, 11.2]), 11.2)
  // In one step that is too much for the time, and then a pause of four seconds.
  assert.equal(seconds([28, 2, 28, 28, 32, 32.1], [0, 3.2, 4.8, 8, 12, 16]), 11.9)
})

test('a pause continues when the buffer is full, however little it grew at last', () => {
  // Paused from the second to the ninth; full after one second of the fifth interval.
  assert.equal(secondsOf(buffers(18, 18, 22, 26, 30, 31, 31, 31, 31, 30.8)), 11)
})

test('a buffer of less than 30 s that stays the same after a pause is not full', () => {
  // A pause of 12 s until the fourth; then it plays, and happens to report the same buffer.
  assert.equal(secondsOf(buffers(15, 19, 23, 27, 27, 27, 26.8)), 12)
  // Nothing was loaded between two reports of the pause: the next growth settles it.
  assert.equal(secondsOf(buffers(15, 19, 19, 27, 27, 27)), 8)
})

test('after a seek, growth counts as a pause but for a target duration', () => {
  assert.equal(secondsOf(buffers(30, 30, 15, 15, 19, 23, 27)), 24 - (12 - GAP_MS / 3_000))
})

test('intervals without a reported buffer show no growth', () => {
  const beats = buffers(8, 12, 16, 20).map((beat, at) => (at === 2 ? { ...beat, bufferMs: null } : beat))

  assert.deepEqual(
    follow(beats).watched.map(({ method }) => method),
    ['CMCD_V1', 'HEARTBEAT', 'HEARTBEAT'],
  )
})

test('watched time is the union of the intervals between neighbouring heartbeats', () => {
  const gaps = fc.array(fc.oneof(fc.nat(20_000), fc.constantFrom(0, GAP_MS, GAP_MS + 1)))
  fc.assert(
    fc.property(gaps, (list) => {
      let atMs = 1_000
      const all = [atMs, ...list.map((gap) => (atMs += gap))]
      const isWatched = (ms: number) =>
        all.some(
          (one) =>
            one > ms && all.some((other) => other <= ms && one - other <= GAP_MS && isNext(other, one)),
        )
      const isNext = (one: number, other: number) => all.every((it) => it <= one || it >= other)

      const { watched, ms } = follow(all.map((at) => aBeat(at)))

      assert.equal(
        ms,
        list.filter((gap) => gap <= GAP_MS).reduce((sum, gap) => sum + gap, 0),
      )
      for (const { startMs, endMs } of watched) assert.ok(isWatched(startMs) && isWatched(endMs - 1))
    }),
  )
})

const anyBeats = fc
  .array(
    fc.record({
      atMs: fc.nat(100_000),
      shiftMs: fc.constantFrom(0, 10_000),
      isPaused: fc.constantFrom(null, true, false),
      bufferMs: fc.constantFrom(null, 5_000, 9_000, 13_000, 17_000),
    }),
  )
  .map((beats) => beats.toSorted((one, other) => one.atMs - other.atMs))

test('no time is counted twice, whatever players report', () => {
  fc.assert(
    fc.property(anyBeats, (beats) => {
      const { watched, ms, starts } = follow(beats)

      for (const [at, { startMs, endMs }] of watched.entries()) {
        assert.ok(startMs < endMs && endMs - startMs <= GAP_MS)
        if (at > 0) assert.ok(watched[at - 1]!.endMs <= startMs)
      }
      assert.ok(ms <= (beats.at(-1)?.atMs ?? 0) - (beats[0]?.atMs ?? 0))
      assert.ok(starts <= 1)
    }),
  )
})

test('heartbeats at the same time may come in any order if players report nothing', () => {
  const anyTimes = fc.array(fc.tuple(fc.nat(30), fc.nat(3)), { minLength: 1 })
  fc.assert(
    fc.property(anyTimes, (pairs) => {
      // Several renditions at one time: each time occurs once or more.
      const once = [...new Set(pairs.map(([second]) => second))].toSorted((a, b) => a - b)
      const often = once.flatMap((second) => pairs.filter(([it]) => it === second).map(() => second))

      assert.deepEqual(follow(times(...often)).watched, follow(times(...once)).watched)
    }),
  )
})
