import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@continuity/contract'
import { isOwn, isPutOff, type Outcome } from './send.ts'

const words = ['northern', 'southern'] as const
const request = {
  word: 'northern',
  e: operations.listBrands,
  path: '/',
  body: undefined,
  key: undefined,
  expected: 200,
  record: undefined,
}
const anOutcome = (over: Partial<Outcome>): Outcome => ({
  request,
  sentMs: 0,
  endedMs: 1,
  status: 200,
  retryAfter: null,
  text: '{"hits":[{"name":"northern 1"}]}',
  ...over,
})

test('an answer with the name of the other account, or without its own, is rejected', () => {
  assert.equal(isOwn(anOutcome({}), words), true)
  assert.equal(isOwn(anOutcome({ text: '{"hits":[]}' }), words), true)
  assert.equal(isOwn(anOutcome({ status: 503, text: '{}' }), words), true)

  assert.equal(
    isOwn(anOutcome({ text: '{"hits":[{"name":"northern 1"},{"name":"southern 2"}]}' }), words),
    false,
  )
  assert.equal(isOwn(anOutcome({ status: 404, text: '{"detail":"southern"}' }), words), false)
  assert.equal(isOwn(anOutcome({ text: '{"hits":[{"name":"1"}]}' }), words), false)
})

test('only 503 with Retry-After counts as put off', () => {
  assert.equal(isPutOff(anOutcome({ status: 503, retryAfter: '1' })), true)

  assert.equal(isPutOff(anOutcome({ status: 503 })), false)
  assert.equal(isPutOff(anOutcome({ status: 500, retryAfter: '1' })), false)
  assert.equal(isPutOff(anOutcome({ status: undefined })), false)
})
