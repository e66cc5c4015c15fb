import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aSigningKey, NOW_MS, someClaims } from '../../../http/testing/credentials.ts'
import { forgedTokens } from '../testing/forged-tokens.ts'
import { signToken, type TokenResult, verifyToken } from './access-token.ts'

const key = aSigningKey('key-1')
const other = aSigningKey('key-2')
const keys = new Map([[key.kid, key]])
const token = signToken(key, someClaims())

const INVALID: TokenResult = { kind: 'rejected', reason: 'invalid' }

test('a verified token has the claims that were signed', () => {
  assert.deepEqual(verifyToken(keys, token, NOW_MS), { kind: 'valid', claims: someClaims(), key })
})

test('during a rotation, tokens of both keys are valid', () => {
  const both = new Map([
    [other.kid, other],
    [key.kid, key],
  ])

  assert.equal(verifyToken(both, token, NOW_MS).kind, 'valid')
  assert.equal(verifyToken(both, signToken(other, someClaims()), NOW_MS).kind, 'valid')
})

test('a token is valid until the second at which it expires', () => {
  const { expiresMs } = someClaims()

  assert.equal(verifyToken(keys, token, expiresMs - 1).kind, 'valid')
  assert.deepEqual(verifyToken(keys, token, expiresMs), { kind: 'rejected', reason: 'expired' })
})

const forgeries = forgedTokens(key, other, someClaims())

for (const [name, forged] of Object.entries(forgeries)) {
  test(`rejected: ${name}`, () => {
    assert.deepEqual(verifyToken(keys, forged, NOW_MS), INVALID)
  })
}

test('a token with any one character changed is rejected', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ '
  const change = fc.record({
    at: fc.nat({ max: token.length - 1 }),
    to: fc.constantFrom(...alphabet),
  })

  fc.assert(
    fc.property(change, ({ at, to }) => {
      fc.pre(token[at] !== to)
      const changed = token.slice(0, at) + to + token.slice(at + 1)
      assert.deepEqual(verifyToken(keys, changed, NOW_MS), INVALID)
    }),
    { numRuns: 300 },
  )
})

test('a token has one encoding: the unused bits of its last character must be zero', () => {
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const others = [...last].map((character) => token.slice(0, -1) + character).filter((text) => text !== token)

  for (const text of others) assert.deepEqual(verifyToken(keys, text, NOW_MS), INVALID, text.slice(-1))
})

test('a token with a part removed or inserted anywhere is rejected', () => {
  fc.assert(
    fc.property(fc.nat({ max: token.length - 1 }), fc.nat({ max: 20 }), fc.base64String(), (at, cut, put) => {
      const changed = token.slice(0, at) + put + token.slice(at + cut)
      fc.pre(changed !== token)
      assert.deepEqual(verifyToken(keys, changed, NOW_MS), INVALID)
    }),
    { numRuns: 200 },
  )
})

test('any claims are verified as they were signed', () => {
  const word = fc.string({ minLength: 1, maxLength: 40 })
  const second = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000)
  const fields = {
    accountId: word,
    subjectId: word,
    deviceId: word,
    sessionId: word,
    roles: fc.array(word, { maxLength: 5 }),
    generation: fc.maxSafeNat(),
    issuedMs: second,
    expiresMs: second,
  }
  const someone = fc.record(fields, { noNullPrototype: true })

  fc.assert(
    fc.property(someone, (given) => {
      const result = verifyToken(keys, signToken(key, given), given.expiresMs - 1)
      assert.deepEqual(result, { kind: 'valid', claims: given, key })
    }),
    { numRuns: 50 },
  )
})
