import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { seal, unseal } from './seal.ts'

const secret = randomBytes(32)
const plain = Buffer.from('the successor of a credential')
const sealed = seal(secret, plain, 'refresh:session-1')

test('a sealed value opens with the same secret and context', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))
  const secrets = fc.oneof(
    fc.string({ minLength: 16 }),
    fc.uint8Array({ minLength: 16 }).map((array) => Buffer.from(array)),
  )

  fc.assert(
    fc.property(secrets, bytes, fc.string(), (key, value, context) => {
      assert.deepEqual(unseal(key, seal(key, value, context), context), value)
    }),
  )
})

test('a secret given as text equals the same secret as bytes', () => {
  const text = 'a secret of more than sixteen bytes'

  assert.deepEqual(unseal(Buffer.from(text), seal(text, plain, 'x'), 'x'), plain)
})

test('the same value is sealed differently each time, and does not contain its plain text', () => {
  const again = seal(secret, plain, 'refresh:session-1')

  assert.notDeepEqual(again, sealed)
  assert.equal(again.includes('successor'), false)
  assert.equal(again.includes('session-1'), false)
})

test('another secret or another context opens nothing', () => {
  assert.equal(unseal(randomBytes(32), sealed, 'refresh:session-1'), undefined)
  assert.equal(unseal('', sealed, 'refresh:session-1'), undefined)
  assert.equal(unseal(secret, sealed, 'refresh:session-2'), undefined)
  assert.equal(unseal(secret, sealed, ''), undefined)
})

test('with any one bit changed, or cut anywhere, it does not open', () => {
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.equal(unseal(secret, changed, 'refresh:session-1'), undefined, `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length += 1) {
    assert.equal(
      unseal(secret, sealed.subarray(0, length), 'refresh:session-1'),
      undefined,
      `${length} bytes`,
    )
  }
  assert.equal(unseal(secret, Buffer.concat([sealed, Buffer.of(0)]), 'refresh:session-1'), undefined)
})

test('a secret that is too short is rejected', () => {
  assert.throws(() => seal('password', plain, 'x'), RangeError)
})
