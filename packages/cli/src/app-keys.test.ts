import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAppKey, runLine } from './testing/a-world.ts'

test('a new key is shown with its secret, once', async () => {
  const createAppKey = () => Promise.resolve({ ...anAppKey, sdk_key: 'sdk_3f0c6c0e' })

  const { calls, printed } = await runLine('app-keys create --account north --app-name north-tv', {
    actions: { createAppKey },
  })

  assert.deepEqual(calls[0], ['createAppKey', 'north', 'north-tv'])
  assert.equal(
    printed,
    `  app      north-tv
  id       0195c1de-6f00-7a10-8000-000000001001
  status   ACTIVE
  SDK key  sdk_3f0c6c0e

The SDK key is not shown again.`,
  )
})

test('keys are listed as a table', async () => {
  const { printed } = await runLine('app-keys list --account north', {
    actions: { listAppKeys: () => Promise.resolve([anAppKey]) },
  })

  assert.equal(
    printed,
    `  id                                    app       status  created                   last used
  0195c1de-6f00-7a10-8000-000000001001  north-tv  ACTIVE  2026-03-01T18:00:00.000Z  never`,
  )
})

test('a key is revoked by its id', async () => {
  const revokeAppKey = () => Promise.resolve({ ...anAppKey, status: 'REVOKED' as const })

  const { calls, printed } = await runLine('app-keys revoke --account north --id k1', {
    actions: { revokeAppKey },
  })

  assert.deepEqual(calls[0], ['revokeAppKey', 'north', 'k1'])
  assert.match(printed, /status {2}REVOKED/)
})
