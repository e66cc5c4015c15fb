import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openByteReader, openByteWriter } from './bytes.ts'

const counts = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]

test('counts are read as written, up to the largest safe integer', () => {
  const writer = openByteWriter()
  for (const count of counts) writer.count(count)

  const reader = openByteReader(writer.written())

  assert.deepEqual(
    counts.map(() => reader.count()),
    counts,
  )
  assert.equal(reader.isCorrupt(), false)
})

test('a small count takes one byte', () => {
  const writer = openByteWriter()
  writer.count(127)

  assert.equal(writer.written().length, 1)
})

test('the writer grows its buffer', () => {
  const writer = openByteWriter()
  const long = Uint8Array.from({ length: 5_000 }, (_, at) => at % 251)
  writer.count(7)
  writer.bytes(long)
  writer.count(9)

  const reader = openByteReader(writer.written())

  assert.equal(reader.count(), 7)
  assert.deepEqual(reader.bytes(5_000), long)
  assert.equal(reader.count(), 9)
})

test('a value that is not a count is rejected', () => {
  for (const value of [-1, 0.5, Number.NaN, 2 ** 53]) {
    assert.throws(() => openByteWriter().count(value), RangeError)
  }
})

test('past the end, the reader returns zeros and is corrupt', () => {
  const reader = openByteReader(Uint8Array.of(0x80))

  assert.equal(reader.count(), 0)
  assert.equal(reader.isCorrupt(), true)
})

test('reading bytes past the end makes the reader corrupt', () => {
  const reader = openByteReader(Uint8Array.of(1, 2))
  reader.bytes(3)

  assert.equal(reader.isCorrupt(), true)
  assert.equal(reader.count(), 0)
})

test('a count above the largest safe integer makes the reader corrupt', () => {
  const tooLarge = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f)
  const endless = new Uint8Array(40).fill(0xff)

  for (const bytes of [tooLarge, endless]) {
    const reader = openByteReader(bytes)
    assert.equal(reader.count(), 0)
    assert.equal(reader.isCorrupt(), true)
  }
})
