import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FrameRate, GOP_MS, type SegmentMs, ticksPerFrame } from './house-format.ts'
import {
  planSegments,
  printSegmentIndex,
  readSegmentIndex,
  type SegmentIndex,
  segmentName,
} from './segment-index.ts'

const anIndex: SegmentIndex = {
  version: 1,
  frameRate: 30,
  segmentMs: 3_200,
  durationTicks: 531_000,
  segments: [288_000, 243_000],
  rungs: [
    {
      name: '360p',
      width: 640,
      height: 360,
      bandwidth: 9,
      averageBandwidth: 8,
      codecs: 'avc1.64001e,mp4a.40.2',
    },
  ],
}

const seconds = (ticks: readonly number[]) => ticks.map((it) => it / 90_000)

test('a tail of a GOP or more is a separate segment, a shorter one joins the previous segment', () => {
  assert.deepEqual(seconds(planSegments(96 + 48, 30, 3_200)), [3.2, 1.6])
  assert.deepEqual(seconds(planSegments(96 + 96 + 15, 30, 3_200)), [3.2, 3.7])
  assert.deepEqual(seconds(planSegments(96, 30, 3_200)), [3.2])
  assert.deepEqual(seconds(planSegments(80 + 20, 25, 3_200)), [4])
})

test('media shorter than a GOP is padded to it', () => {
  assert.deepEqual(seconds(planSegments(1, 25, 3_200)), [1.6])
  assert.deepEqual(seconds(planSegments(47, 30, 6_400)), [1.6])
})

test('all segments but the last have the regular length, and the last has at least a GOP', () => {
  const anyRate = fc.constantFrom<FrameRate>(25, 30)
  const anySegment = fc.constantFrom<SegmentMs>(1_600, 3_200, 6_400)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), anyRate, anySegment, (frames, frameRate, segmentMs) => {
      const planned = planSegments(frames, frameRate, segmentMs)

      const [whole, gop] = [segmentMs * 90, GOP_MS * 90]
      assert.ok(planned.slice(0, -1).every((ticks) => ticks === whole))
      assert.ok(planned.at(-1)! >= gop && planned.at(-1)! < whole + gop)
      const sum = planned.reduce((total, ticks) => total + ticks, 0)
      assert.equal(sum, Math.max(frames * ticksPerFrame(frameRate), gop))
    }),
  )
})

test('a printed index is read again', () => {
  assert.deepEqual(readSegmentIndex(printSegmentIndex(anIndex)), anIndex)
})

test('an incomplete or invalid index is rejected', () => {
  const broken = [
    '',
    'null',
    '[]',
    printSegmentIndex(anIndex).slice(0, 40),
    JSON.stringify({ ...anIndex, version: 2 }),
    JSON.stringify({ ...anIndex, frameRate: 24 }),
    JSON.stringify({ ...anIndex, segments: [] }),
    JSON.stringify({ ...anIndex, segments: [243_000, 288_000] }),
    JSON.stringify({ ...anIndex, durationTicks: 531_001 }),
    JSON.stringify({ ...anIndex, rungs: [] }),
    ...[15, 3_201].map((segmentMs) => JSON.stringify({ ...anIndex, segmentMs })),
    ...[undefined, 7, [0], [531_000, 0], [288_000.5, 242_999.5], ['288000', 243_000]].map((segments) =>
      JSON.stringify({ ...anIndex, segments }),
    ),
    ...['x', {}].map((cuts) => JSON.stringify({ ...anIndex, cuts })),
    ...[undefined, {}, [null], [7], ['360p'], [...anIndex.rungs, {}]].map((rungs) =>
      JSON.stringify({ ...anIndex, rungs }),
    ),
    ...[
      { name: '../x' },
      { name: 'x/..' },
      { name: '' },
      { name: 360 },
      { name: 'x'.repeat(17) },
      { codecs: 'avc1"' },
      { codecs: '"avc1' },
      { codecs: 7 },
      { codecs: 'a'.repeat(65) },
      { width: 0 },
      { height: -1 },
      { bandwidth: 0.5 },
      { averageBandwidth: '8' },
    ].map((fault) => JSON.stringify({ ...anIndex, rungs: [{ ...anIndex.rungs[0], ...fault }] })),
  ]
  for (const text of broken) assert.equal(readSegmentIndex(text), undefined, text)
})

test('segments of another length are accepted before a cut, and only there', () => {
  const segments = [288_000, 200_000, 288_000, 150_000]
  const cut = { ...anIndex, durationTicks: 926_000, segments, cuts: [{ segment: 2, ticks: 488_000 }] }

  assert.deepEqual(readSegmentIndex(printSegmentIndex(cut)), cut)
  for (const cuts of [
    [],
    [null],
    [{ segment: 2, ticks: 488_001 }],
    [{ segment: 1, ticks: 288_000 }],
    [{ segment: 0, ticks: 0 }],
    [{ segment: 4, ticks: 926_000 }],
    [
      { segment: 2, ticks: 488_000 },
      { segment: 2, ticks: 488_000 },
    ],
  ]) {
    assert.equal(readSegmentIndex(JSON.stringify({ ...cut, cuts })), undefined, JSON.stringify(cuts))
  }
})

test('every frame rate and segment length of the house format is read', () => {
  for (const frameRate of [25, 30] as const) {
    for (const segmentMs of [1_600, 3_200, 6_400] as const) {
      const segments = [segmentMs * 90, 150_000]
      const index = { ...anIndex, frameRate, segmentMs, segments, durationTicks: segmentMs * 90 + 150_000 }
      assert.deepEqual(readSegmentIndex(printSegmentIndex(index)), index)
    }
  }
})

test('segment names sort like the segments', () => {
  assert.equal(segmentName(0), '00000.ts')
  assert.equal(segmentName(54_000), '54000.ts')
})
