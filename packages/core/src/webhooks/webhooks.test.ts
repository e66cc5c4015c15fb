import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followsKind } from './kind-filter.ts'
import { endpointPauseMs, isGivenUp, retryPauseMs } from './retry.ts'

test('a filter matches a kind by its name or by a prefix', () => {
  assert.ok(followsKind(['channel.started'], 'channel.started'))
  assert.ok(followsKind(['alert.*', 'channel.*'], 'channel.started'))
  assert.ok(followsKind(['*'], 'channel.started'))

  assert.ok(!followsKind(['channel.start'], 'channel.started'))
  assert.ok(!followsKind(['channel.*'], 'channels.started'))
  assert.ok(!followsKind([], 'channel.started'))
})

test('pauses double from five seconds up to an hour, with a jitter of a fifth', () => {
  assert.deepEqual(
    [1, 2, 3, 11].map((attempts) => retryPauseMs(attempts, 0.5)),
    [5_000, 10_000, 20_000, 3_600_000],
  )
  assert.equal(retryPauseMs(1, 0), 4_000)
  assert.equal(retryPauseMs(1, 1), 6_000)
  assert.equal(retryPauseMs(5_000, 1), 4_320_000)
})

test('a delivery is tried about thirty times in a day', () => {
  let [attempts, atMs] = [1, 0]
  while (!isGivenUp(0, atMs)) {
    atMs += retryPauseMs(attempts, 0.5)
    attempts += 1
  }

  assert.equal(attempts, 34)
})

test('a delivery is given up a day after it was first tried', () => {
  const firstMs = 1_000_000

  assert.equal(isGivenUp(firstMs, firstMs + 86_400_000 - 1), false)
  assert.equal(isGivenUp(firstMs, firstMs + 86_400_000), true)
})

test('an endpoint is paused from the third consecutive failure on', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 50].map(endpointPauseMs), [0, 0, 0, 1_000, 2_000, 4_000, 60_000])
})
