import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLine } from './testing/a-world.ts'

const applied = ['0001-accounts', '0002-users']
const migrate = (report: (migration: string) => void) => {
  for (const migration of applied) report(migration)
  return Promise.resolve(applied)
}

test('prints each migration as it is applied', async () => {
  const { printed, exitCode } = await runLine('migrate', { actions: { migrate } })

  assert.equal(exitCode, 0)
  assert.equal(printed, 'applied 0001-accounts\napplied 0002-users')
})

test('--json prints one document', async () => {
  const { printed } = await runLine('migrate --json', { actions: { migrate } })

  assert.deepEqual(JSON.parse(printed), { applied })
})

test('prints that the schema is up to date', async () => {
  const { printed } = await runLine('migrate', { actions: { migrate: () => Promise.resolve([]) } })

  assert.equal(printed, 'The schema is up to date.')
})

test('a check fails while a migration is missing, and changes nothing', async () => {
  const actions = { findPendingMigrations: () => Promise.resolve(['0002-users']) }

  const { printed, exitCode, calls } = await runLine('migrate --check', { actions })

  assert.equal(exitCode, 1)
  assert.equal(printed, 'Missing:\n  0002-users')
  assert.deepEqual(calls, [['findPendingMigrations'], ['close']])
})

test('a check passes when nothing is missing', async () => {
  const actions = { findPendingMigrations: () => Promise.resolve([]) }

  const { exitCode } = await runLine('migrate --check --json', { actions })

  assert.equal(exitCode, 0)
})
