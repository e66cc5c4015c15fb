import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAppKeyAnswer } from './wire.ts'

test('an app key is answered with its dates, and without its hash', () => {
  const key = {
    accountId: 'a',
    appKeyId: 'k',
    appName: 'Harbour TV',
    keyHash: Buffer.of(1),
    status: 'ACTIVE',
    generation: 3,
    createdMs: Date.parse('2026-03-01T12:00:00Z'),
    lastUsedMs: Date.parse('2026-03-02T12:00:00.500Z'),
  } as const
  const answer = {
    app_key_id: 'k',
    app_name: 'Harbour TV',
    status: 'ACTIVE',
    created_date: '2026-03-01T12:00:00.000Z',
    last_used: '2026-03-02T12:00:00.500Z',
  }

  assert.deepEqual(toAppKeyAnswer(key), answer)
  assert.deepEqual(toAppKeyAnswer({ ...key, lastUsedMs: null }), { ...answer, last_used: null })
})
