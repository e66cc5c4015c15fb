import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../platform/config/read-config.ts'
import type { Setting } from '../platform/config/setting.ts'
import { workerSettings } from './worker-settings.ts'

const settings: readonly Setting<unknown>[] = Object.values(workerSettings)

test('the default of every setting of a worker is a valid value', () => {
  for (const { name, fallback, parse } of settings) {
    if (fallback === undefined) continue
    const written = Array.isArray(fallback) ? fallback.join(',') : `${fallback as string | number}`
    assert.deepEqual(parse(written), { value: fallback }, name)
  }
})

test('a worker without settings reports all required ones', () => {
  const result = readConfig(workerSettings, {})

  assert.ok(result.kind === 'rejected')
  assert.deepEqual(
    result.faults.map((fault) => fault.split(' ')[0]),
    ['DATABASE_URL', 'NATS_URL', 'MEDIA_STORE'],
  )
})
