import assert from 'node:assert/strict'
import { chmod, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { findSystemUser, isRoot } from '@continuity/dev/system-user'
import { aHome } from './home.ts'

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
