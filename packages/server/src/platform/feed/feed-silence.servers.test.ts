import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLink } from '@continuity/dev/a-link'
import { aChannel, aFollower, aPublisher, aSnapshot, someNats, until } from './testing/a-feed-system.ts'
import { aWorker, hasReceivedAll } from './testing/a-worker.ts'

test('publishing fails while the network drops all packets, and followers receive everything afterwards', async (t) => {
  const { url } = await someNats(t)
  const line = await aLink(url)
  t.after(() => line[Symbol.asyncDispose]())
  const [worker, cutOff] = [await aWorker(t, url), await aPublisher(t, line.url)]
  await worker.commit('north')
  const follower = await aFollower(t, line.url)
  await until(() => hasReceivedAll(follower, worker))

  line.silence()
  const startMs = performance.now()
  const error = await cutOff
    .publishUpdate(aChannel('south'), aSnapshot(1, 'south'))
    .catch((error: unknown) => error)
  const tookMs = performance.now() - startMs
  await worker.commit('north')
  const isReceivedInSilence = follower.updates.includes('north whole 2')
  await line.restore()
  await until(() => follower.updates.includes('north whole 2'), 10_000)

  assert.equal((error as { kind?: { code: string } }).kind?.code, 'feed.unavailable')
  assert.ok(tookMs < 5_500, `${tookMs} ms`)
  assert.ok(!isReceivedInSilence)
  assert.ok(follower.isCaughtUp())
})
