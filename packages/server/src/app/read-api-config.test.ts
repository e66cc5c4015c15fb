import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readApiConfig } from './read-api-config.ts'

test('faults of the settings and of the key file are reported together', async () => {
  const result = await readApiConfig({ PORT: 'x', CREDENTIAL_KEYS_FILE: '/nowhere/keys.json' })

  assert.ok(result.kind === 'rejected')
  const [port, database, nats, keys] = result.faults
  assert.equal(result.faults.length, 4)
  assert.match(port ?? '', /^PORT must be/)
  assert.match(database ?? '', /^DATABASE_URL is not set/)
  assert.match(nats ?? '', /^NATS_URL is not set/)
  assert.match(keys ?? '', /^CREDENTIAL_KEYS_FILE \/nowhere\/keys.json cannot be read/)
})

test('an unset key file is reported as a missing setting', async () => {
  const result = await readApiConfig({ DATABASE_URL: 'postgres://a/b', NATS_URL: 'nats://a' })

  assert.ok(result.kind === 'rejected')
  assert.deepEqual(
    result.faults.map((fault) => fault.split(' ')[0]),
    ['CREDENTIAL_KEYS_FILE'],
  )
})
