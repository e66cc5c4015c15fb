import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from './request-outcome.ts'

test('a request continues while no video has failed, with or without time fill', () => {
  for (const canFill of [true, false]) {
    assert.deepEqual(outcomeOf(['READY', 'QUEUED', 'PACKAGING'], canFill), { kind: 'continues' })
    assert.deepEqual(outcomeOf([], canFill), { kind: 'continues' })
  }
})

test('a failed video is covered by time fill; without it, the request fails', () => {
  assert.deepEqual(outcomeOf(['READY', 'FAILED'], true), { kind: 'continues' })
  assert.deepEqual(outcomeOf(['READY', 'FAILED'], false), { kind: 'failed', reason: 'no_fill' })
})

test('a program without any video left fails', () => {
  assert.deepEqual(outcomeOf(['FAILED', 'FAILED'], true), { kind: 'failed', reason: 'nothing_to_play' })
  assert.deepEqual(outcomeOf(['FAILED', 'QUEUED'], true), { kind: 'continues' })
})
