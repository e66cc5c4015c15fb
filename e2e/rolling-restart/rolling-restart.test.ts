import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { startApiPair } from './api-pair.ts'
import { countChannels, createChannelPosts, repeatPosts } from './channel-posts.ts'
import { findLastingPorts } from './lasting-ports.ts'
import { startLoad } from './load.ts'
import { rollingRestart } from './proof.ts'
import { always } from './request-kinds.ts'
import { seededRandom } from './seeded-random.ts'
import { credentialOf } from './session-requests.ts'

test('no request fails while both API processes are restarted one after the other', async () => {
  await assertSmall(rollingRestart, 1)
})

test('a POST that fails because its process is killed is counted, and with its key takes effect once', async () => {
  await using opened = new AsyncDisposableStack()
  const { apis, nginxPort, sessions } = await startApiPair(opened)
  const channels = createChannelPosts(credentialOf(sessions[0]!))
  const mix = [{ weight: 1, next: channels.next }] as const
  const load = startLoad({ ...aLoad, port: nginxPort, requests: 200, mix })
  opened.defer(() => load.stop())

  // Stopped first, so that requests in flight accumulate in this process and not in the other.
  process.kill(apis[0].child.pid, 'SIGSTOP')
  await load.whenInFlight(12)
  process.kill(apis[0].child.pid, 'SIGKILL')
  const { failures } = await load.ended
  const repeatFailures = await repeatPosts(nginxPort, channels.posts)
  const counts = await countChannels(nginxPort, sessions[0]!)

  assert.ok(failures.length > 0, 'no failure was counted')
  assert.ok(failures.length < 200, 'the other process answered none')
  assert.match(failures[0]!, /POST .*: 502 gateway\.unreachable, not /)
  assert.deepEqual(repeatFailures, [])
  assert.equal(counts.size, 200)
  assert.deepEqual(new Set(counts.values()), new Set([1]))
})

test('a request that reaches no process is counted as failed', async () => {
  const [port] = await findLastingPorts()
  const request = {
    method: 'GET',
    path: '/livez',
    headers: {},
    body: undefined,
    isFixed: false,
    expected: '200',
  }

  const mix = [{ weight: 1, next: always(request) }] as const
  const { failures } = await startLoad({ ...aLoad, port, requests: 20, mix }).ended

  assert.equal(failures.length, 20)
  assert.match(failures[0]!, /ECONNREFUSED/)
})

const aLoad = { perSecond: 400, random: seededRandom(1), mayEnd: () => true }
