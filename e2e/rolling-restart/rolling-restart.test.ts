import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { startApiPair } from './api-pair.ts'
import { findLastingPorts } from './lasting-ports.ts'
import { startLoad } from './load.ts'
import { rollingRestart } from './proof.ts'
import { learnRequests } from './request-mix.ts'
import { seededRandom } from './seeded-random.ts'

test('no request fails while both API processes are restarted in turn', async () => {
  await assertSmall(rollingRestart, 1)
})

test('a process that is killed fails the POSTs that it had in hand, and they are counted', async () => {
  await using opened = new AsyncDisposableStack()
  const { apis, nginxPort, headers } = await startApiPair(opened)
  const mix = (await learnRequests(apis[0].port, headers)).filter(({ method }) => method === 'POST')
  const load = startLoad({ ...aLoad, port: nginxPort, requests: 200, mix })
  opened.defer(() => load.stop())

  // Frozen first, so that what is in flight piles up in this process and not in the other.
  process.kill(apis[0].child.pid, 'SIGSTOP')
  await load.whenInFlight(12)
  process.kill(apis[0].child.pid, 'SIGKILL')
  const { failures } = await load.ended

  assert.ok(failures.length > 0, 'no failure was counted')
  assert.ok(failures.length < 200, 'the other process answered none')
  assert.match(failures[0]!, /POST .*: 502 gateway\.unreachable, not /)
})

test('a request that reaches nobody is counted as failed', async () => {
  const [port] = await findLastingPorts()
  const request = {
    method: 'GET',
    path: '/livez',
    headers: {},
    body: undefined,
    isFixed: false,
    expected: '200',
  }

  const { failures } = await startLoad({ ...aLoad, port, requests: 20, mix: [request] }).ended

  assert.equal(failures.length, 20)
  assert.match(failures[0]!, /ECONNREFUSED/)
})

const aLoad = { perSecond: 400, random: seededRandom(1), mayEnd: () => true }
