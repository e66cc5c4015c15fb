import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { aHome } from './home.ts'
import type { RunningStart } from './running-start.ts'

const home = await aHome({ after })
/** Stopped with the home. */
const UNTIL_THE_HOME_ENDS = { after: () => {} }
let running: RunningStart

test('a later start uses the same keys', async (t) => {
  const first = await timeToReady(() => home.start(t))
  const keys = await stat(join(home.path, 'credential-keys.json'))
  first.running.signalGroup('SIGINT')
  await first.running.ended()
  const later = await timeToReady(() => home.start(UNTIL_THE_HOME_ENDS))
  running = later.running

  t.diagnostic(`first start ${first.tookMs} ms, later start ${later.tookMs} ms`)
  assert.equal((await stat(join(home.path, 'credential-keys.json'))).ino, keys.ino)
})

test('stdout has only the ready line, its addresses answer, and only the owner can read secrets', async () => {
  const secrets = [
    'stack.json',
    'credential-keys.json',
    'feed-keys.json',
    'nats/nats.conf',
    'postgres/password',
    'logs/api.log',
  ]

  const line = await running.ready()
  const modes = await Promise.all(
    secrets.map(async (file) => (await stat(join(home.path, file))).mode & 0o777),
  )
  const ready = [line.base_url, line.playout_url].flatMap((url) => [`${url}/livez`, `${url}/readyz`])
  const addresses = [...ready, line.console_url]
  const answers = await Promise.all(addresses.map((address) => fetch(address)))

  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 200, 200, 200],
  )
  assert.equal(running.stdout(), `${JSON.stringify(line)}\n`)
  assert.deepEqual(Object.keys(line), [
    'ready',
    'base_url',
    'playout_url',
    'console_url',
    'account_name',
    'email',
    'password',
    'app_name',
    'sdk_key',
  ])
  assert.deepEqual(
    modes,
    secrets.map(() => 0o600),
  )
})

async function timeToReady(begin: () => RunningStart) {
  const startedMs = performance.now()
  const running = begin()
  await running.ready()
  return { running, tookMs: Math.round(performance.now() - startedMs) }
}
