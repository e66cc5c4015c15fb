import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { longHash, shortHash } from './stable-hash.ts'

test('hashes equal those in stored rows', () => {
  assert.equal(shortHash(''), '2h9')
  assert.equal(shortHash('long night'), '2kl')
  assert.equal(shortHash('東 京'), '20u')
  // The published values of 64-bit FNV-1a.
  assert.equal(longHash(''), 'cbf29ce484222325')
  assert.equal(longHash('a'), 'af63dc4c8601ec8c')
  assert.equal(longHash('foobar'), '85944171f73967e8')
  assert.equal(longHash('東京'), '79319608151cd730')
})

test('a short hash is one of 4,096, a long one has sixteen digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.match(shortHash(text), /^[0-9a-z]{1,3}$/)
      assert.ok(Number.parseInt(shortHash(text), 36) < 4_096)
      assert.match(longHash(text), /^[0-9a-f]{16}$/)
    }),
  )
})

test('pairs of words spread over all short hashes', () => {
  const seen = new Set(Array.from({ length: 40_960 }, (_, at) => shortHash(`word${at % 64} other${at}`)))

  assert.ok(seen.size > 4_080, `${seen.size}`)
})
