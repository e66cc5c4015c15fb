import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pollUntil } from '@continuity/dev/waiting'
import { aHome, untilDatabaseIsBeingCreated } from './home.ts'
import { listRemains } from './remains.ts'

test('after kill -9 the API exits by itself, and the next start stops the orphaned servers', async (t) => {
  const home = await aHome(t)
  const killed = home.start(t)
  await killed.ready()
  const before = await killed.getRecord()

  process.kill(killed.pid, 'SIGKILL')
  await killed.ended()
  const apiIsGone = await pollUntil(async () => {
    const remains = await listRemains(before)
    return remains.some((part) => part.startsWith('The API')) ? undefined : true
  }, 10_000)
  const next = home.start(t)
  const line = await next.ready()

  assert.equal(apiIsGone, true)
  assert.deepEqual(await listRemains(before), [])
  assert.equal((await fetch(`${line.base_url}/readyz`)).status, 200)
})

test('a first start interrupted or killed while it creates the database does not break the next start', async (t) => {
  const home = await aHome(t)

  const interrupted = home.start(t)
  await untilDatabaseIsBeingCreated(home)
  interrupted.signalGroup('SIGINT')
  const end = await interrupted.ended()
  const killed = home.start(t)
  await untilDatabaseIsBeingCreated(home)
  process.kill(killed.pid, 'SIGKILL')
  await killed.ended()
  const line = await home.start(t).ready()

  assert.deepEqual(end, { code: 0, signal: null })
  assert.equal(interrupted.stdout(), '')
  assert.equal((await fetch(`${line.base_url}/readyz`)).status, 200)
})
