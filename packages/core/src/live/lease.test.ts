import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeIn, LEASE_MS, mayWrite, nextToken } from './lease.ts'

const lease = { holder: 'a', token: 5, storedMs: 100_000 }

test('a lease is free if it is not held, or if its holder has not renewed it in time', () => {
  assert.equal(freeIn(undefined, 0), 0)
  assert.equal(freeIn(lease, 100_000), LEASE_MS + 1)
  assert.equal(freeIn(lease, 100_000 + LEASE_MS), 1)
  assert.equal(freeIn(lease, 100_001 + LEASE_MS), 0)
  assert.equal(freeIn(lease, 200_000), 0)
})

test('a holder stops writing before its lease is free', () => {
  assert.equal(mayWrite(0), true)
  assert.equal(mayWrite(2_999), true)
  assert.equal(mayWrite(3_000), false)
  // Even if its renewal request took no time to be stored.
  assert.ok(!mayWrite(LEASE_MS - 1_500))
})

test('tokens grow with every holder, even if all leases were lost', () => {
  assert.equal(nextToken(lease, 3), 6)
  const first = nextToken(undefined, 1_700_000_000_000.7)
  const second = nextToken({ holder: 'b', token: first }, 1_700_000_000_000)
  const afterLoss = nextToken(undefined, 1_700_000_000_500)
  assert.ok(first < second && second < afterLoss)
})
