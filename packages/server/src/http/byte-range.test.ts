import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRange } from './byte-range.ts'

const part = (from: number, to: number) => ({ kind: 'part', from, to })

test('a single range is read by RFC 9110', () => {
  const read: readonly (readonly [string, unknown])[] = [
    ['bytes=0-0', part(0, 1)],
    ['bytes=0-99', part(0, 100)],
    ['bytes=40-', part(40, 100)],
    ['bytes=40-1000', part(40, 100)],
    ['bytes=-1', part(99, 100)],
    ['bytes=-1000', part(0, 100)],
    ['Bytes= 5-6 ', part(5, 7)],
  ]
  for (const [header, expected] of read) assert.deepEqual(readRange(header, 100), expected, header)
})

test('a range that starts after the end is outside', () => {
  for (const header of ['bytes=100-', 'bytes=100-200', 'bytes=999999999999999-', 'bytes=-0'])
    assert.deepEqual(readRange(header, 100), { kind: 'outside' }, header)
})

test('anything but a single range is ignored', () => {
  const others = [
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=0-1,3-4',
    'seconds=0-1',
    'bytes=+1-2',
  ]
  for (const header of [undefined, ...others, `bytes=${'9'.repeat(16)}-`])
    assert.deepEqual(readRange(header, 100), { kind: 'whole' }, header)
  assert.deepEqual(readRange('bytes=0-', 0), { kind: 'whole' })
})
