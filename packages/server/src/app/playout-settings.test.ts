import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Setting } from '../platform/config/setting.ts'
import { playoutSettings } from './playout-settings.ts'
import { readMediaConfig } from './read-media-config.ts'

const settings: readonly Setting<unknown>[] = Object.values(playoutSettings)

test('the default of every setting of a playout node is a valid value', () => {
  for (const { name, fallback, parse } of settings) {
    if (fallback !== undefined)
      assert.deepEqual(parse(`${fallback as string | number}`), { value: fallback }, name)
  }
})

const required = { MEDIA_STORE: '/var/lib/media', NATS_URL: 'nats://127.0.0.1:4222' }

test('a playout node needs no database, only its media store and NATS', () => {
  const result = readMediaConfig(playoutSettings, {})

  assert.ok(result.kind === 'rejected')
  assert.deepEqual(
    result.faults.map((fault) => fault.split(' ')[0]),
    ['NATS_URL', 'MEDIA_STORE'],
  )
  assert.equal(readMediaConfig(playoutSettings, required).kind, 'read')
})

test('the base address of segments is ASCII and ends with a slash', () => {
  const given = ['https://cdn.example/media/', '/media', 'https://köln.example/', '/a b/']

  const kinds = given.map(
    (base) => readMediaConfig(playoutSettings, { ...required, MEDIA_BASE_URL: base }).kind,
  )

  assert.deepEqual(kinds, ['read', 'rejected', 'rejected', 'rejected'])
})

test('a bucket without access keys is rejected at the start, without printing them', () => {
  const half = { ...required, MEDIA_STORE: 's3://north-media', S3_SECRET_ACCESS_KEY: 'hunter2' }

  const result = readMediaConfig(playoutSettings, half)

  assert.ok(result.kind === 'rejected')
  assert.match(result.faults.join(), /S3_ACCESS_KEY_ID/)
  assert.doesNotMatch(result.faults.join(), /hunter2/)
  assert.equal(readMediaConfig(playoutSettings, { ...half, S3_ACCESS_KEY_ID: 'AK' }).kind, 'read')
})
