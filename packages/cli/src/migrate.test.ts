import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLine } from './testing/a-world.ts'

const applied = ['0001-accounts', '0002-users']
const migrate = (report: (migration: string) => void) => {
  for (const migration of applied) report(migration)
  return Promise.resolve(applied)
}

test('each migration is told as it is applied', async () => {
  const { printed, exitCode } = await runLine('migrate', { actions: { migrate } })

  assert.equal(exitCode, 0)
  assert.equal(printed, 'applied 0001-accounts\napplied 0002-users')
})

test('a script gets one document', async () => {
  const { printed } = await runLine('migrate --json', { actions: { migrate } })

  assert.deepEqual(JSON.parse(printed), { applied })
})

test('a schema that is up to date says so', async () => {
  const { printed } = await runLine('migrate', { actions: { migrate: () => Promise.resolve([]) } })

  assert.equal(printed, 'Nothing was missing.')
})

test('a check fails while a migration is missing, and changes nothing', async () => {
  const actions = { findPendingMigrations: () => Promise.resolve(['0002-users']) }

  const { printed, exitCode, asked } = await runLine('migrate --check', { actions })

  assert.equal(exitCode, 1)
  assert.equal(printed, 'Missing:\n  0002-users')
  assert.deepEqual(asked, [['findPendingMigrations'], ['close']])
})

test('a check passes when nothing is missing', async () => {
  const actions = { findPendingMigrations: () => Promise.resolve([]) }

  const { exitCode } = await runLine('migrate --check --json', { actions })

  assert.equal(exitCode, 0)
})
