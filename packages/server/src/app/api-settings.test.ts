import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../platform/config/read-config.ts'
import type { Setting } from '../platform/config/setting.ts'
import { apiSettings } from './api-settings.ts'

const settings: readonly Setting<unknown>[] = Object.values(apiSettings)

test('the default of every setting is a valid value', () => {
  for (const { name, fallback, parse } of settings) {
    if (fallback === undefined) continue
    const written = Array.isArray(fallback) ? fallback.join(',') : `${fallback as string | number}`
    assert.deepEqual(parse(written), { value: fallback }, name)
  }
})

test('every setting has its own variable', () => {
  const names = settings.map(({ name }) => name)

  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted())
  for (const name of names) assert.match(name, /^[A-Z][A-Z_]+$/)
})

test('an API without settings reports all required ones', () => {
  const result = readConfig(apiSettings, {})

  assert.ok(result.kind === 'rejected')
  assert.deepEqual(
    result.faults.map((fault) => fault.split(' ')[0]),
    ['DATABASE_URL', 'NATS_URL', 'CREDENTIAL_KEYS_FILE'],
  )
})

test('addresses that may contain a password are secrets', () => {
  assert.ok(apiSettings.databaseUrl.isSecret)
  assert.ok(apiSettings.natsUrl.isSecret)
})
