import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChannelStatus, firstStatus, isAllowed } from './channel-status.ts'

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
