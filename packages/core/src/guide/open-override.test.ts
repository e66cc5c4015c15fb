import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOpenOverride } from './guide-between.ts'

const DAY_MS = 86_400_000

const game = { id: 'game', title: '', description: '', startMs: 0, endMs: null }

test('only an override without an end is open, not a long program', () => {
  const marathon = { ...game, endMs: 3 * DAY_MS }

  assert.ok(isOpenOverride(game, Number.MAX_SAFE_INTEGER, 0))
  assert.ok(!isOpenOverride(marathon, 3 * DAY_MS, 0))
  assert.ok(!isOpenOverride(null, Number.MAX_SAFE_INTEGER, 0))
})

test('an override whose end was just committed is no longer open', () => {
  const nowMs = 400 * DAY_MS

  assert.ok(!isOpenOverride(game, nowMs + 6_400, nowMs))
})
