import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSessionIds } from '../../platform/crypto/viewing-session-ids.ts'
import type { Output } from '../channels/index.ts'
import { readLines } from './read-lines.ts'

const HOUR_MS = 3_600_000
const NOW_MS = 1_000 * HOUR_MS

const output: Output = {
  accountId: 'north',
  channelId: 'c1',
  distributor: 'cached',
  key: null,
  windowMs: 32_000,
  markers: 'BOTH',
  breakPolicy: 'ACTUAL',
  audienceSource: 'LOGS',
  audienceFromMs: 0,
  delayMs: 0,
}

test('lines are accepted from a minute after they were written to 47 hours after the content was on air', () => {
  const ids = createSessionIds('key')
  const sid = ids.mint('c1/cached', NOW_MS - 47 * HOUR_MS)
  const line = (agoMs: number, shiftMs = 0) => ({
    timeMs: NOW_MS - agoMs,
    channelId: 'c1',
    distributor: 'cached',
    sid,
    shiftMs,
    cmcd: undefined,
    country: undefined,
  })
  const outcomeOf = (agoMs: number, shiftMs?: number, delayMs = 0) => {
    const outputs = [{ ...output, delayMs }]
    const { lines, ignored } = readLines([line(agoMs, shiftMs)], outputs, ids, NOW_MS)
    return lines === 1 ? 'counted' : Object.entries(ignored).find(([, count]) => count === 1)?.[0]
  }

  assert.equal(outcomeOf(60_000), 'counted')
  assert.equal(outcomeOf(59_999), 'too_recent')
  assert.equal(outcomeOf(-1), 'too_recent')
  assert.equal(outcomeOf(47 * HOUR_MS), 'counted')
  assert.equal(outcomeOf(47 * HOUR_MS + 1), 'too_old')
  assert.equal(outcomeOf(HOUR_MS, 46 * HOUR_MS), 'counted')
  assert.equal(outcomeOf(HOUR_MS, 46 * HOUR_MS + 10_000), 'too_old')
  assert.equal(outcomeOf(23 * HOUR_MS, 0, 24 * HOUR_MS), 'counted')
  assert.equal(outcomeOf(23 * HOUR_MS + 1, 0, 24 * HOUR_MS), 'too_old')
})
