import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { aHome } from './home.ts'

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
