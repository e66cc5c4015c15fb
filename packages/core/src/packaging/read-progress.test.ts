import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProgress, shareOf } from './read-progress.ts'

test('frames and time are read, time in milliseconds', () => {
  assert.deepEqual(readProgress('frame=219'), { kind: 'frames', frames: 219 })
  assert.deepEqual(readProgress('out_time_us=7317333'), { kind: 'time', outMs: 7_317 })
  for (const line of [
    'out_time_ms=7317333',
    'out_time_us=N/A',
    'frame=-1',
    'progress=end',
    '',
    'frame=1e9',
  ]) {
    assert.equal(readProgress(line), undefined)
  }
})

test('the share is between 0 and 1', () => {
  assert.equal(shareOf(500, 1_000), 0.5)
  assert.equal(shareOf(1_500, 1_000), 1)
  assert.equal(shareOf(500, null), 0)
  assert.equal(shareOf(500, 0), 0)
})
