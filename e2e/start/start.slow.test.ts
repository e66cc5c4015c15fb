import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findStackFile } from '@continuity/dev/stack-file'
import { findSystemUser, isRoot } from '@continuity/dev/system-user'
import { startTestSystem } from '@continuity/dev/test-system'
import { pollUntil, settlesWithin } from '@continuity/dev/waiting'
import { aHome, listRemains, untilDatabaseIsBeingCreated } from './home.ts'

const home = await aHome({ after })

test('a later start uses the same keys', async (t) => {
  const first = home.start(t)
  await first.ready()
  const keys = await stat(join(home.path, 'credential-keys.json'))
  first.signalGroup('SIGINT')
  await first.ended()
  const later = home.start(t)
  await later.ready()

  assert.equal((await stat(join(home.path, 'credential-keys.json'))).ino, keys.ino)
  await later.end()
})

test('killing only npm, whose shell does not forward the signal, stops everything too', async (t) => {
  const running = home.start(t, { command: ['npm', 'start', '--silent'] })
  await running.ready()
  const record = await running.getRecord()

  process.kill(running.pid, 'SIGTERM')
  await running.ended()

  assert.match(running.stderr(), /Continuity has stopped/)
  assert.deepEqual(await listRemains(record), [])
})

test('SIGTERM and SIGHUP stop everything with exit code 0', async (t) => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    const running = home.start(t)
    await running.ready()
    const record = await running.getRecord()

    running.signalGroup(signal)
    const end = await running.ended()

    assert.deepEqual(end, { code: 0, signal: null }, signal)
    assert.deepEqual(await listRemains(record), [], signal)
  }
})

test('a second Ctrl-C does not wait for a process that hangs', async (t) => {
  const running = home.start(t)
  await running.ready()
  const record = await running.getRecord()
  process.kill(record.processes.find((part) => part.name === 'The API')!.pid, 'SIGSTOP')

  // Without force it would wait 15 s for the API; signals within the first second count as one.
  const exit = await pollUntil(async () => {
    running.signalGroup('SIGINT')
    const ended = running.ended()
    return (await settlesWithin(ended, 100)) ? ended : undefined
  }, 8_000)
  const remains = await pollUntil(async () => {
    const found = await listRemains(record)
    return found.length === 0 ? found : undefined
  }, 5_000)

  assert.deepEqual(exit, { code: 1, signal: null })
  assert.deepEqual(remains, [])
})

test('when one process dies the others are stopped, and the reason is printed', async (t) => {
  const running = home.start(t)
  await running.ready()
  const record = await running.getRecord()

  process.kill(record.processes.find((part) => part.name === 'NATS')!.pid, 'SIGKILL')
  const end = await running.ended()

  assert.equal(end.code, 1)
  assert.match(running.stderr(), /NATS ended by SIGKILL/)
  assert.deepEqual(await listRemains(record), [])
})

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

test('starts with separate homes run side by side, one on a used home is rejected, and given servers are left running', async (t) => {
  const otherHome = await aHome(t)
  const other = otherHome.start(t)
  const one = home.start(t)
  const [oneLine, otherLine] = await Promise.all([one.ready(), other.ready()])
  const [oneRecord, otherRecord] = await Promise.all([one.getRecord(), other.getRecord()])
  const isOtherReady = async () => (await fetch(`${otherLine.base_url}/readyz`)).status === 200

  one.signalGroup('SIGINT')
  await one.ended()
  assert.notEqual(oneLine.base_url, otherLine.base_url)
  assert.notEqual(oneRecord.database_url, otherRecord.database_url)
  assert.notEqual(oneRecord.nats_url, otherRecord.nats_url)
  assert.deepEqual(await listRemains(oneRecord), [])
  assert.ok(await isOtherReady())

  const second = otherHome.start(t)
  assert.equal((await second.ended()).code, 1)
  assert.match(second.stderr(), new RegExp(`in use by process ${other.pid}`))
  assert.ok(await isOtherReady())

  const guest = home.start(t, {
    env: {
      DATABASE_URL: otherRecord.database_url,
      DATABASE_OWNER_URL: otherRecord.database_owner_url,
      NATS_URL: otherRecord.nats_url,
    },
  })
  await guest.ready()
  const { processes } = await guest.getRecord()
  guest.signalGroup('SIGINT')
  assert.equal((await guest.ended()).code, 0)
  assert.deepEqual(
    processes.map(({ name }) => name),
    ['The playout node', 'The API', 'The worker', 'The receiver'],
  )
  assert.equal((await listRemains(otherRecord)).length, 10)
})

test('an error of the API is shown, and everything already started is stopped', async (t) => {
  const home = await aHome(t)
  const running = home.start(t, { env: { LOG_LEVEL: 'loud' } })

  const { code } = await running.ended()

  assert.equal(code, 1)
  assert.equal(running.stdout(), '')
  assert.match(running.stderr(), /LOG_LEVEL must be one of .*, not "loud"/)
  assert.match(await readFile(join(home.path, 'logs/postgres.log'), 'utf8'), /database system is shut down/)
})

test('a port in use is reported with advice', async (t) => {
  const occupant = createServer().listen(0, '127.0.0.1')
  await once(occupant, 'listening')
  t.after(() => occupant.close())
  const address = occupant.address()
  assert.ok(address !== null && typeof address === 'object')

  const running = (await aHome(t)).start(t, { env: { PORT: `${address.port}` } })
  const { code } = await running.ended()

  assert.equal(code, 1)
  assert.match(running.stderr(), new RegExp(`Port ${address.port} is taken by another program. Set PORT`))
})

test('without PostgreSQL it prints what to install or to set', async (t) => {
  const running = (await aHome(t)).start(t, { env: { PG_BIN_DIR: '/nowhere' } })

  const { code } = await running.ended()

  assert.equal(code, 1)
  assert.match(running.stderr(), /Install postgresql-15, .* or set DATABASE_URL/)
})

const onlyRoot = isRoot() ? {} : { skip: 'only root can start something as another user' }

test('an ordinary user can start it', onlyRoot, async (t) => {
  const user = await findSystemUser('nobody')
  assert.ok(user)
  const home = await aHome(t, user)

  const line = await home.start(t, { user }).ready()

  assert.equal((await fetch(`${line.base_url}/readyz`)).status, 200)
  assert.equal((await stat(`${home.path}/postgres/data`)).uid, user.uid)
})

test('root can start it in a home that user postgres cannot enter', onlyRoot, async (t) => {
  const home = await aHome(t)
  await chmod(home.path, 0o700)

  const running = home.start(t)
  const line = await running.ready()

  assert.match(running.stderr(), /the database is kept in \/var\/tmp\/continuity-[0-9a-f]+/)
  assert.equal((await fetch(`${line.base_url}/readyz`)).status, 200)
})

test('the API is ready without NATS and not ready without PostgreSQL, and alive in both cases', async () => {
  await using system = await startTestSystem()
  const { processes } = (await findStackFile(system.home))!
  const pidOf = (name: string) => processes.find((process) => process.name === name)!.pid
  /** Waits until it answers so. */
  const readyz = async (status: number, isNatsOk: boolean) => {
    const isSo = async () => {
      const answer = await fetch(`${system.baseUrl}/readyz`)
      const { checks } = (await answer.json()) as { checks: Record<string, { ok: boolean }> }
      return (answer.status === status && checks['nats']?.ok === isNatsOk) || undefined
    }
    assert.ok(await pollUntil(isSo, 15_000), `not ${status} with NATS ${isNatsOk}`)
  }

  process.kill(pidOf('NATS'), 'SIGSTOP')
  await readyz(200, false)
  process.kill(pidOf('NATS'), 'SIGCONT')
  await readyz(200, true)
  process.kill(pidOf('PostgreSQL'), 'SIGQUIT')
  await readyz(503, true)

  assert.equal((await fetch(`${system.baseUrl}/livez`)).status, 200)
})
