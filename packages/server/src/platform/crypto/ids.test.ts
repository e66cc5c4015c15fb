import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, lowestIdAt, newId } from './ids.ts'

const NOW_MS = 1_772_388_000_123

test('an id is a UUID of version 7, and unique', () => {
  const ids = Array.from({ length: 1_000 }, () => newId(NOW_MS))

  for (const id of ids)
    assert.match(id, /^019ca[0-9a-f]{3}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(ids).size, ids.length)
})

test('ids sort by their creation time', () => {
  const ids = [newId(NOW_MS), newId(NOW_MS + 1), newId(NOW_MS + 1_000_000)]

  assert.deepEqual(ids.toSorted(), ids)
  assert.ok(lowestIdAt(NOW_MS) < newId(NOW_MS) && newId(NOW_MS) < lowestIdAt(NOW_MS + 1))
})

test('only a well-formed id is accepted', () => {
  assert.ok(isId(newId(NOW_MS)))
  for (const text of ['', 'abc', newId(NOW_MS).toUpperCase(), `${newId(NOW_MS)} `, `{${newId(NOW_MS)}}`]) {
    assert.equal(isId(text), false, text)
  }
})
