import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContentRange, validatorOf } from './answer-headers.ts'

const TIME = 'Mon, 02 Jan 2023 10:00:00 GMT'
const LATER = 'Mon, 02 Jan 2023 10:00:01 GMT'

test('the validator is a strong ETag, else a Last-Modified at least a second before Date', () => {
  const validator = (headers: Record<string, string>) => validatorOf((name) => headers[name])

  assert.equal(validator({ etag: '"a-1"', 'last-modified': TIME, date: LATER }), '"a-1"')
  assert.equal(validator({ etag: '""' }), '""')
  assert.equal(validator({ 'last-modified': TIME, date: LATER }), TIME)
  for (const etag of ['W/"a"', 'a', '"a', '"a" "b"', '"a\u00e9"', '"a", "b"'])
    assert.equal(validator({ etag, 'last-modified': TIME, date: LATER }), null, etag)
  assert.equal(validator({ 'last-modified': TIME, date: TIME }), null)
  assert.equal(validator({ 'last-modified': TIME }), null)
  assert.equal(validator({ 'last-modified': 'yesterday', date: LATER }), null)
  assert.equal(validator({}), null)
})

test('only a valid Content-Range is read', () => {
  assert.deepEqual(readContentRange('bytes 5-9/10'), { fromByte: 5, totalBytes: 10 })
  assert.deepEqual(readContentRange('bytes 5-9/*'), { fromByte: 5, totalBytes: null })
  assert.deepEqual(readContentRange('bytes */10'), { fromByte: undefined, totalBytes: 10 })
  for (const text of [
    undefined,
    '',
    'bytes */*',
    'bytes 9-5/10',
    'bytes 5-10/10',
    'lines 1-2/3',
    'bytes -5/10',
    'bytes 5-9',
  ])
    assert.equal(readContentRange(text), undefined, text)
})
