import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aHome } from './home.ts'
import { listRemains } from './remains.ts'

const home = await aHome({ after })
const otherHome = await aHome({ after })

// Runs through all tests.
const other = otherHome.start({ after })

test('two starts with separate homes run side by side, and stopping one does not affect the other', async (t) => {
  const one = home.start(t)
  const [oneLine, otherLine] = await Promise.all([one.ready(), other.ready()])
  const [oneRecord, otherRecord] = await Promise.all([one.getRecord(), other.getRecord()])

  one.signalGroup('SIGINT')
  await one.ended()

  assert.notEqual(oneLine.base_url, otherLine.base_url)
  assert.notEqual(oneRecord.database_url, otherRecord.database_url)
  assert.notEqual(oneRecord.nats_url, otherRecord.nats_url)
  assert.deepEqual(await listRemains(oneRecord), [])
  assert.equal((await fetch(`${otherLine.base_url}/readyz`)).status, 200)
})

test('a second start on the same home is rejected and does not disturb the first', async (t) => {
  const line = await other.ready()

  const second = otherHome.start(t)
  const { code } = await second.ended()

  assert.equal(code, 1)
  assert.match(second.stderr(), new RegExp(`in use by process ${other.pid}`))
  assert.equal((await fetch(`${line.base_url}/readyz`)).status, 200)
})

test('configured external servers are used and not stopped with the start', async (t) => {
  await other.ready()
  const given = await other.getRecord()

  const guest = home.start(t, {
    env: {
      DATABASE_URL: given.database_url,
      DATABASE_OWNER_URL: given.database_owner_url,
      NATS_URL: given.nats_url,
    },
  })
  const line = await guest.ready()
  const record = await guest.getRecord()
  assert.equal((await fetch(`${line.base_url}/readyz`)).status, 200)
  guest.signalGroup('SIGINT')

  assert.equal((await guest.ended()).code, 0)
  assert.deepEqual(
    record.processes.map((process) => process.name),
    ['The playout node', 'The API', 'The worker', 'The receiver'],
  )
  assert.equal((await listRemains(given)).length, 10)
})
