import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSessionIds, mintedAt, SID_LENGTH } from './viewing-session-ids.ts'

const NOW_MS = 1_772_388_000_123
const HOUR_MS = 3_600_000

test('an id is valid on every node with the key, and for its output only', () => {
  const [one, other, unknown] = [createSessionIds('k'), createSessionIds('k'), createSessionIds('x')]

  const sid = one.mint('north/direct', NOW_MS)

  assert.equal(sid.length, SID_LENGTH)
  assert.match(sid, /^[\w-]+$/)
  assert.equal(mintedAt(sid), NOW_MS)
  assert.equal(other.read(sid, 'north/direct', NOW_MS + HOUR_MS), NOW_MS)
  assert.equal(other.read(sid, 'north/pluto', NOW_MS), undefined)
  assert.equal(unknown.read(sid, 'north/direct', NOW_MS), undefined)
})

test('an id that was not minted is invalid, whichever character was changed', () => {
  const ids = createSessionIds('k')
  const sid = ids.mint('north/direct', NOW_MS)

  for (let at = 0; at < sid.length; at += 1) {
    const other = sid[at] === 'A' ? 'B' : 'A'
    const forged = sid.slice(0, at) + other + sid.slice(at + 1)
    assert.equal(ids.read(forged, 'north/direct', NOW_MS), undefined, forged)
  }
  for (const text of ['', 'viewer', '0'.repeat(32), `${sid}A`, '%'.repeat(32), '=='.repeat(16)])
    assert.equal(ids.read(text, 'north/direct', NOW_MS), undefined, text)
})

test('an id lasts two days', () => {
  const ids = createSessionIds('k')
  const sid = ids.mint('north/direct', NOW_MS)
  const readAt = (ms: number) => ids.read(sid, 'north/direct', NOW_MS + ms) !== undefined

  assert.deepEqual([48 * HOUR_MS, 48 * HOUR_MS + 1, -60_000, -60_001].map(readAt), [true, false, true, false])
})

test('ids are unique', () => {
  const ids = createSessionIds('k')

  const minted = new Set(Array.from({ length: 10_000 }, () => ids.mint('north/direct', NOW_MS)))

  assert.equal(minted.size, 10_000)
})
