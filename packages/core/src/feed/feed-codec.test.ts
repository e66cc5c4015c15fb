import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crc32 } from '../scte35/crc32.ts'
import { packRun } from '../timeline/codec/packed.ts'
import { aLiveRun, aRun, plays } from '../timeline/testing/a-run.ts'
import { decodeUpdate, encodeUpdate } from './feed-codec.ts'
import type { DeltaMessage } from './feed-message.ts'
import { aFeedChannel, anyFeed } from './testing/a-feed.ts'

const RUNS = { numRuns: 60 }

const small: DeltaMessage = {
  kind: 'change',
  epoch: 7,
  version: 7,
  channel: aFeedChannel(),
  runs: [packRun(aRun({}, plays('one', 5))), packRun(aLiveRun({ number: 2, sequence: 5, startSeconds: 16 }))],
  settled: [{ number: 1, firstSequence: 0, discontinuity: 3 }],
}

test('any update is decoded as it was encoded', () => {
  fc.assert(
    fc.property(anyFeed, (feed) => {
      for (const { snapshot, delta } of feed) {
        assert.deepEqual(decodeUpdate(encodeUpdate(snapshot)), snapshot)
        assert.deepEqual(decodeUpdate(encodeUpdate(delta)), delta)
      }
    }),
    RUNS,
  )
})

test('the same update always encodes to the same bytes', () => {
  fc.assert(
    fc.property(anyFeed, (feed) => {
      const bytes = encodeUpdate(feed.at(-1)!.snapshot)

      assert.deepEqual(encodeUpdate(decodeUpdate(bytes)!), bytes)
    }),
    RUNS,
  )
})

test('an empty update is decoded too', () => {
  const nothing = { ...small, channel: null, runs: [], settled: [] }

  assert.deepEqual(decodeUpdate(encodeUpdate(nothing)), nothing)
})

test('an update without an epoch, as written by the previous release, belongs to the first epoch', () => {
  const { epoch: _epoch, ...before } = small

  const decoded = decodeUpdate(encodeUpdate(before as DeltaMessage))

  assert.deepEqual(decoded, { ...small, epoch: 1 })
})

test('truncated bytes are rejected', () => {
  const bytes = encodeUpdate(small)

  for (let length = 0; length < bytes.length; length += 1) {
    assert.equal(decodeUpdate(bytes.subarray(0, length)), undefined)
    assert.equal(decodeUpdate(bytes.subarray(bytes.length - length)), undefined)
  }
})

test('bytes with one corrupt byte are rejected', () => {
  const bytes = encodeUpdate(small)

  for (let at = 0; at < bytes.length; at += 1) {
    const corrupt = bytes.with(at, bytes[at]! ^ (1 << (at % 8)))
    assert.equal(decodeUpdate(corrupt), undefined)
  }
})

test('any other bytes are rejected', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.equal(decodeUpdate(bytes), undefined)
    }),
  )
})

test('a later format is rejected, even with a valid checksum', () => {
  const [, ...rest] = encodeUpdate(small).subarray(0, -4)

  assert.equal(decodeUpdate(summed(Uint8Array.of(2, ...rest))), undefined)
})

test('missing bytes are rejected, even with a valid checksum', () => {
  const body = encodeUpdate(small).subarray(0, -5)

  assert.equal(decodeUpdate(summed(body)), undefined)
})

test('decoded values do not reference the source bytes', () => {
  const bytes = encodeUpdate(small)

  const decoded = decodeUpdate(bytes)
  bytes.fill(0)

  assert.deepEqual(decoded, small)
})

function summed(body: Uint8Array): Uint8Array {
  const sum = crc32(body)
  return Uint8Array.of(...body, sum >>> 24, sum >>> 16, sum >>> 8, sum)
}
