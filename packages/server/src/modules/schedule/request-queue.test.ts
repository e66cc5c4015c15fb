import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestQueue } from './request-queue.ts'

const channel = (number: number) => ({ channelId: `channel-${number}` })

test('a channel that is requested many times is taken once, and again after five seconds', () => {
  const queue = createRequestQueue()
  const counts: number[] = []

  for (let ms = 0; ms <= 10_000; ms += 100) {
    for (let repeat = 0; repeat < 50; repeat += 1) queue.add(channel(1), ms)
    if (ms % 1_000 === 0) counts.push(queue.take(ms).length)
  }

  assert.deepEqual(counts, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
})

test('however many channels are requested, at most a hundred are taken at once and a thousand wait', () => {
  const queue = createRequestQueue()
  for (let number = 0; number < 100_000; number += 1) queue.add(channel(number), 0)

  const taken: string[] = []
  for (let round = 0; round < 20; round += 1) {
    const ids = queue.take(round * 1_000)
    assert.ok(ids.length <= 100)
    taken.push(...ids.map(({ channelId }) => channelId))
  }

  assert.equal(taken.length, 1_000)
  assert.equal(new Set(taken).size, 1_000)
})

test('a channel that is not requested any more is dropped: memory does not grow with all channels ever requested', () => {
  const queue = createRequestQueue()
  queue.add(channel(1), 0)
  queue.take(0)

  queue.add(channel(1), 4_999)
  assert.deepEqual(queue.take(4_999), [])
  queue.add(channel(1), 5_000)
  assert.deepEqual(queue.take(5_000), [channel(1)])
})
