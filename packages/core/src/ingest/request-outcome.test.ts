import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from './request-outcome.ts'

test('a request goes on while nothing has failed, whether or not there is time fill', () => {
  for (const canFill of [true, false]) {
    assert.deepEqual(outcomeOf(['READY', 'QUEUED', 'PACKAGING'], canFill), { kind: 'goes_on' })
    assert.deepEqual(outcomeOf([], canFill), { kind: 'goes_on' })
  }
})

test('a video that failed is covered by time fill, and without any it fails the request', () => {
  assert.deepEqual(outcomeOf(['READY', 'FAILED'], true), { kind: 'goes_on' })
  assert.deepEqual(outcomeOf(['READY', 'FAILED'], false), { kind: 'failed', reason: 'no_fill' })
})

test('a program of which no video is left is no program', () => {
  assert.deepEqual(outcomeOf(['FAILED', 'FAILED'], true), { kind: 'failed', reason: 'nothing_to_play' })
  assert.deepEqual(outcomeOf(['FAILED', 'QUEUED'], true), { kind: 'goes_on' })
})
