import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import { until } from '../../platform/feed/testing/a-feed-system.ts'
import { loadLiveView } from '../live/read.ts'
import { keepFeed } from './keep-feed.ts'

test('a worker sends heartbeats with its instance, and none while it is paused', async (t) => {
  let isPaused = true
  const sent: unknown[] = []
  const publisher = {
    publishHeartbeat: async (nowMs: number, worker?: string) => void sent.push([nowMs, worker]),
    isUp: () => true,
    onSnapshotRequest: () => () => {},
  } as unknown as FeedPublisher
  // Only heartbeats are published here: the unreachable database stops everything else.
  const database = { platform: undefined } as unknown as Database
  const feed = keepFeed({
    database,
    publisher,
    clock: () => 7,
    logger: aCapturedLog().logger,
    instance: 'instance-1',
    loadLiveView,
    isPaused: () => isPaused,
  })
  t.after(() => feed.stop())
  await new Promise((resolve) => setTimeout(resolve, 1_300))
  const whilePaused = { sent: sent.length, isUp: feed.isUp() }

  isPaused = false
  await until(() => sent.length > 0, 3_000)

  assert.deepEqual(whilePaused, { sent: 0, isUp: false })
  assert.deepEqual(sent[0], [7, 'instance-1'])
  assert.equal(feed.isUp(), true)
})
