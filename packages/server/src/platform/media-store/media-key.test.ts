import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMediaKey, isMediaPrefix, requireMediaKey, requireMediaPrefix } from './media-key.ts'

/** A key of this length, of short parts. */
const keyOf = (length: number) => `${'a/'.repeat(250)}${'b'.repeat(length - 503)}.ts`

test('a key has 512 characters at most, however short its parts are', () => {
  assert.deepEqual([keyOf(512).length, keyOf(513).length], [512, 513])
  assert.deepEqual([isMediaKey(keyOf(512)), isMediaKey(keyOf(513))], [true, false])
  assert.doesNotThrow(() => requireMediaKey(keyOf(512)))
  assert.throws(() => requireMediaKey(keyOf(513)), /is not a media key/)
})

test('a prefix has 512 characters at most before its last slash', () => {
  const prefixOf = (length: number) => `${'a/'.repeat(250)}${'b'.repeat(length - 500)}/`

  assert.deepEqual([isMediaPrefix(prefixOf(512)), isMediaPrefix(prefixOf(513))], [true, false])
  assert.throws(() => requireMediaPrefix(prefixOf(513)), /is not a media prefix/)
})

test('a part has 128 characters at most', () => {
  const [fits, isLong] = [128, 129].map((length) => `assets/${'a'.repeat(length)}/index.json`)

  assert.deepEqual([isMediaKey(fits!), isMediaKey(isLong!)], [true, false])
})
