import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CacheSession, linesOf } from './cache-log.ts'

const aSession = (changes: Partial<CacheSession> = {}): CacheSession => ({
  channelId: 'one',
  sid: 'a',
  country: 'IE',
  fromMs: 1_000,
  untilMs: 22_000,
  ...changes,
})

test('a log that is imported in parts has each request of a session once, and none before or after it', () => {
  const sessions = [aSession(), aSession({ sid: 'b', fromMs: 9_000, untilMs: 90_000 })]

  const parts = [linesOf(sessions, 0, 12_000), linesOf(sessions, 12_000, 30_000)]

  const timesOf = (sid: string) =>
    parts.map((lines) => lines.filter((it) => it.sid === sid).map((it) => it.time_ms))
  assert.deepEqual(timesOf('a'), [
    [1_000, 6_000, 11_000],
    [16_000, 21_000],
  ])
  assert.deepEqual(timesOf('b'), [[9_000], [14_000, 19_000, 24_000, 29_000]])
})
