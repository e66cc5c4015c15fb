import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLink } from '../testing/a-link.ts'
import { aChannel, aFollower, aPublisher, aWhole, someNats, until } from './testing/a-feed-system.ts'
import { aWorker, knowsAll } from './testing/a-worker.ts'

test('through a network that swallows everything nobody is told in vain, and all is heard once it is back', async (t) => {
  const { url } = await someNats(t)
  const line = await aLink(url)
  t.after(() => line[Symbol.asyncDispose]())
  const [worker, cutOff] = [await aWorker(t, url), await aPublisher(t, line.url)]
  await worker.commit('north')
  const follower = await aFollower(t, line.url)
  await until(() => knowsAll(follower, worker))

  line.silence()
  const startMs = performance.now()
  const refusal = await cutOff
    .publishStep(aChannel('south'), aWhole(1, 'south'))
    .catch((error: unknown) => error)
  const tookMs = performance.now() - startMs
  await worker.commit('north')
  const isHeardInSilence = follower.steps.includes('north whole 2')
  await line.restore()
  await until(() => follower.steps.includes('north whole 2'), 10_000)

  assert.equal((refusal as { kind?: { code: string } }).kind?.code, 'feed.unavailable')
  assert.ok(tookMs < 5_500, `${tookMs} ms`)
  assert.ok(!isHeardInSilence)
  assert.ok(follower.isCaughtUp())
})
