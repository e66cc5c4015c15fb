import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Setting } from '../platform/config/setting.ts'
import { playoutSettings } from './playout-settings.ts'
import { readMediaConfig } from './read-media-config.ts'

const settings: readonly Setting<unknown>[] = Object.values(playoutSettings)

test('what a setting of a playout node falls back to is a value that it would take', () => {
  for (const { name, fallback, parse } of settings) {
    if (fallback !== undefined)
      assert.deepEqual(parse(`${fallback as string | number}`), { value: fallback }, name)
  }
})

test('a playout node needs no database, only the place of its media', () => {
  const result = readMediaConfig(playoutSettings, {})

  assert.ok(result.kind === 'refused')
  assert.deepEqual(
    result.faults.map((fault) => fault.split(' ')[0]),
    ['MEDIA_STORE'],
  )
  assert.equal(readMediaConfig(playoutSettings, { MEDIA_STORE: '/var/lib/media' }).kind, 'read')
})

test('a bucket without its keys is refused at the start, and told without them', () => {
  const half = { MEDIA_STORE: 's3://north-media', S3_SECRET_ACCESS_KEY: 'hunter2' }

  const result = readMediaConfig(playoutSettings, half)

  assert.ok(result.kind === 'refused')
  assert.match(result.faults.join(), /S3_ACCESS_KEY_ID/)
  assert.doesNotMatch(result.faults.join(), /hunter2/)
  assert.equal(readMediaConfig(playoutSettings, { ...half, S3_ACCESS_KEY_ID: 'AK' }).kind, 'read')
})
