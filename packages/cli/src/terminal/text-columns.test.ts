import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clip, columnsOf, fit } from './text-columns.ts'

test('ideographs and emoji take two columns, combining marks none', () => {
  assert.equal(columnsOf('Nacht'), 5)
  assert.equal(columnsOf('港の夜'), 6)
  assert.equal(columnsOf('🚢'), 2)
  assert.equal(columnsOf('e\u0301'), 1)
})

test('a text that is too long ends in an ellipsis, within its columns', () => {
  assert.equal(clip('Harbour', 7), 'Harbour')
  assert.equal(clip('Harbour', 6), 'Harbo…')
  assert.equal(clip('港の夜', 4), '港…')
  assert.equal(clip('Harbour', 1), '…')
  assert.equal(clip('Harbour', 0), '')
})

test('fit pads and clips to exactly the given columns', () => {
  assert.equal(fit('港', 4), '港  ')
  assert.equal(columnsOf(fit('港の夜', 4)), 4)
})
