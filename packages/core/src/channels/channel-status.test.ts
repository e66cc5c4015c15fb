import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChannelStatus, firstStatus, isAllowed, overrideStatusAt, statusAt } from './channel-status.ts'

const statuses: readonly ChannelStatus[] = ['OFFLINE', 'PENDING_ON_AIR', 'ON_AIR', 'PENDING_OFFLINE', 'ERROR']

test('only a channel that is off air can be deleted', () => {
  assert.deepEqual(
    statuses.filter((status) => isAllowed('delete', status)),
    ['OFFLINE'],
  )
})

test('a channel that was never started can be deleted', () => {
  assert.ok(isAllowed('delete', firstStatus.status))
})

test('a channel that goes off the air is offline from then on, and any other keeps its status', () => {
  assert.equal(statusAt('PENDING_OFFLINE', 1_000, 999), 'PENDING_OFFLINE')
  assert.equal(statusAt('PENDING_OFFLINE', 1_000, 1_000), 'OFFLINE')
  assert.equal(statusAt('PENDING_OFFLINE', null, 1_000), 'PENDING_OFFLINE')
  assert.equal(statusAt('ON_AIR', 1_000, 1_001), 'ON_AIR')
})

test('a channel that returned to its schedule is scheduled from its first segment on', () => {
  assert.equal(overrideStatusAt('NOT_STARTED', 1_000, 999), 'NOT_STARTED')
  assert.equal(overrideStatusAt('NOT_STARTED', 1_000, 1_000), 'SCHEDULED')
  assert.equal(overrideStatusAt('NOT_STARTED', null, 1_000), 'NOT_STARTED')
  assert.equal(overrideStatusAt('OVERRIDDEN', 1_000, 1_001), 'OVERRIDDEN')
})
