import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findStackFile } from '@continuity/dev/stack-file'
import { aHome, listRemains } from './home.ts'

const home = await aHome({ after })
const running = home.start({ after }, { command: ['npm', 'start', '--silent'] })

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

test('Ctrl-C in the terminal of npm start stops everything', async () => {
  const record = await running.getRecord()

  running.signalGroup('SIGINT')
  const end = await running.ended()

  assert.deepEqual(end, { code: 0, signal: null })
  assert.match(running.stderr(), /Continuity has stopped/)
  assert.deepEqual(await listRemains(record), [])
  assert.equal(await findStackFile(home.path), undefined)
})

test('all invalid settings are reported together, before anything starts', async (t) => {
  const env = {
    PORT: '80a',
    DATABASE_URL: 'mysql://x',
    DATABASE_OWNER_URL: 'postgres://x',
    NATS_URL: '127.0.0.1',
  }

  const running = (await aHome(t)).start(t, { env })
  const { code } = await running.ended()

  assert.equal(code, 1)
  const names = running.stderr().match(/^[A-Z_]+/gm)
  assert.deepEqual(names, ['PORT', 'DATABASE_URL', 'NATS_URL'])
})
