import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorTable } from './error-table.ts'

test('a code is declared once', () => {
  const codes = errorTable.map(({ code }) => code)

  assert.equal(new Set(codes).size, codes.length)
})

test('every error has a code in two words, a status that refuses, and a title', () => {
  for (const { code, status, title } of errorTable) {
    assert.match(code, /^[a-z][a-z_]*\.[a-z][a-z_]*$/)
    assert.ok(status >= 400 && status <= 599, code)
    assert.match(title, /^[A-Z][^.]+$/, code)
  }
})

test('the table goes by status, then by code', () => {
  const keys = errorTable.map(({ status, code }) => `${status} ${code}`)

  assert.deepEqual(keys, keys.toSorted())
})
