import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStretchReader, proposeCuePoints } from './propose-cue-points.ts'

const at = (startMs: number, endMs: number) => ({ startMs, endMs })

test('a break fits into the middle of black and silence together', () => {
  const blacks = [at(90_000, 91_000), at(200_000, 201_000), at(300_000, 302_000)]
  const silences = [at(90_400, 95_000), at(300_100, 300_300), at(300_900, 301_700)]

  assert.deepEqual(proposeCuePoints(blacks, silences, 400_000), [90_700, 301_300])
  assert.deepEqual(proposeCuePoints(blacks, null, 400_000), [90_500, 200_500, 301_000])
})

test('proposals are a minute apart, from the start and from the end, and no blink is one', () => {
  const blacks = [
    at(30_000, 31_000),
    at(60_000, 60_299),
    at(70_000, 70_300),
    at(120_000, 121_000),
    at(135_000, 136_000),
  ]

  assert.deepEqual(proposeCuePoints(blacks, null, 195_000), [70_150])
  assert.deepEqual(proposeCuePoints(blacks, null, 195_500), [70_150, 135_500])
})

test('stretches are read from the lines of ffmpeg between those of its progress', () => {
  const reader = createStretchReader('black')
  const lines = [
    'lavfi.black_end=1.5',
    'frame:237  pts:121344  pts_time:9.48',
    'lavfi.black_start=9.48',
    'frame=300',
    'lavfi.silence_end=10',
    'lavfi.black_end=10.12',
    'lavfi.black_start=12',
    'lavfi.black_end=12.2',
    'lavfi.black_start=7200.12',
  ]
  for (const line of lines) reader.read(line)

  assert.deepEqual(reader.stretches(), [at(9_480, 10_120)])
})
