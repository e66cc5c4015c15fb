import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crc32 } from '../scte35/crc32.ts'
import { packRun } from '../timeline/packed.ts'
import { aLiveRun, aRun, plays } from '../timeline/testing/a-run.ts'
import { decodeStep, encodeStep } from './feed-codec.ts'
import type { ChangeMessage } from './feed-message.ts'
import { aFeedChannel, anyFeed } from './testing/a-feed.ts'

const RUNS = { numRuns: 60 }

const small: ChangeMessage = {
  kind: 'change',
  epoch: 7,
  version: 7,
  channel: aFeedChannel(),
  runs: [packRun(aRun({}, plays('one', 5))), packRun(aLiveRun({ number: 2, sequence: 5, startSeconds: 16 }))],
  settled: [{ number: 1, firstSequence: 0, discontinuity: 3 }],
}

test('any step is decoded as it was encoded', () => {
  fc.assert(
    fc.property(anyFeed, (feed) => {
      for (const { whole, change } of feed) {
        assert.deepEqual(decodeStep(encodeStep(whole)), whole)
        assert.deepEqual(decodeStep(encodeStep(change)), change)
      }
    }),
    RUNS,
  )
})

test('the same step is always the same bytes', () => {
  fc.assert(
    fc.property(anyFeed, (feed) => {
      const bytes = encodeStep(feed.at(-1)!.whole)

      assert.deepEqual(encodeStep(decodeStep(bytes)!), bytes)
    }),
    RUNS,
  )
})

test('a step that says nothing is decoded too', () => {
  const nothing = { ...small, channel: null, runs: [], settled: [] }

  assert.deepEqual(decodeStep(encodeStep(nothing)), nothing)
})

test('an update without an epoch, as the release before wrote it, belongs to the first', () => {
  const { epoch: _epoch, ...before } = small

  const decoded = decodeStep(encodeStep(before as ChangeMessage))

  assert.deepEqual(decoded, { ...small, epoch: 1 })
})

test('bytes that are cut anywhere are refused', () => {
  const bytes = encodeStep(small)

  for (let length = 0; length < bytes.length; length += 1) {
    assert.equal(decodeStep(bytes.subarray(0, length)), undefined)
    assert.equal(decodeStep(bytes.subarray(bytes.length - length)), undefined)
  }
})

test('bytes of which a single one is not right are refused', () => {
  const bytes = encodeStep(small)

  for (let at = 0; at < bytes.length; at += 1) {
    const spoilt = bytes.with(at, bytes[at]! ^ (1 << (at % 8)))
    assert.equal(decodeStep(spoilt), undefined)
  }
})

test('any other bytes are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.equal(decodeStep(bytes), undefined)
    }),
  )
})

test('a later format is refused, though its sum is right', () => {
  const [, ...rest] = encodeStep(small).subarray(0, -4)

  assert.equal(decodeStep(summed(Uint8Array.of(2, ...rest))), undefined)
})

test('bytes that promise more than there is are refused, though their sum is right', () => {
  const body = encodeStep(small).subarray(0, -5)

  assert.equal(decodeStep(summed(body)), undefined)
})

test('what is decoded does not hold on to the bytes that it came in', () => {
  const bytes = encodeStep(small)

  const decoded = decodeStep(bytes)
  bytes.fill(0)

  assert.deepEqual(decoded, small)
})

function summed(body: Uint8Array): Uint8Array {
  const sum = crc32(body)
  return Uint8Array.of(...body, sum >>> 24, sum >>> 16, sum >>> 8, sum)
}
