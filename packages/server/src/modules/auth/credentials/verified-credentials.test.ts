import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSigningKey, NOW_MS, someClaims } from '../../../http/testing/credentials.ts'
import { forgedTokens } from '../testing/forged-tokens.ts'
import { type SigningKey, signToken, type TokenClaims, verifyToken } from './access-token.ts'
import { createVerifiedCredentials } from './verified-credentials.ts'

const key = aSigningKey('key-1')
const other = aSigningKey('key-2')
const token = signToken(key, someClaims())

const INVALID = { kind: 'rejected', reason: 'invalid' }
const EXPIRED = { kind: 'rejected', reason: 'expired' }

test('a token gives the same result the first time and from the cache', () => {
  const { verify } = credentials()

  const first = verify(token, NOW_MS)

  assert.deepEqual(first, { kind: 'valid', principal: someClaims() })
  assert.equal(verify(token, NOW_MS), first)
})

test('a signature is checked once', () => {
  const checked = countChecks(key)
  const { verify } = credentials({ keys: [checked.key] })

  for (let i = 0; i < 10; i += 1) verify(token, NOW_MS)

  assert.equal(checked.count(), 1)
})

for (const [name, forged] of Object.entries(forgedTokens(key, other, someClaims()))) {
  test(`rejected each time, also after the valid token: ${name}`, () => {
    const { verify } = credentials()
    verify(token, NOW_MS)
    const expected = verifyToken(new Map([[key.kid, key]]), forged, NOW_MS)

    const results = [verify(forged, NOW_MS), verify(forged, NOW_MS)]

    assert.deepEqual(results, [expected, expected])
    assert.equal(expected.kind, 'rejected')
  })
}

test('a cached token expires at its second', () => {
  const { verify } = credentials()
  const { expiresMs } = someClaims()
  verify(token, NOW_MS)

  assert.equal(verify(token, expiresMs - 1).kind, 'valid')
  assert.deepEqual(verify(token, expiresMs), EXPIRED)
})

test('a token that had expired when it was first seen is not cached as valid', () => {
  const { verify } = credentials()
  const { expiresMs } = someClaims()

  assert.deepEqual(verify(token, expiresMs), EXPIRED)
  assert.deepEqual(verify(token, expiresMs), EXPIRED)
})

test('a removed key stops verifying at once', () => {
  const keys = new Map([key, other].map((each) => [each.kid, each]))
  const { verify } = createVerifiedCredentials({ keys: () => keys, isEnded: () => false, capacity: 10 })
  const otherToken = signToken(other, someClaims())
  verify(token, NOW_MS)
  verify(otherToken, NOW_MS)

  keys.delete(key.kid)

  assert.deepEqual(verify(token, NOW_MS), INVALID)
  assert.equal(verify(otherToken, NOW_MS).kind, 'valid')
})

test('another key with the same id does not verify what the first one signed', () => {
  let keys = new Map([[key.kid, key]])
  const { verify } = createVerifiedCredentials({ keys: () => keys, isEnded: () => false, capacity: 10 })
  verify(token, NOW_MS)

  keys = new Map([[key.kid, { ...other, kid: key.kid }]])

  assert.deepEqual(verify(token, NOW_MS), INVALID)
})

test('tokens of an ended session are rejected, cached or not', () => {
  const ended = new Set<string>()
  const { verify } = credentials({ isEnded: ({ sessionId }) => ended.has(sessionId) })
  const second = signToken(key, someClaims({ sessionId: 'session-2' }))
  const third = signToken(key, someClaims({ sessionId: 'session-3' }))
  verify(token, NOW_MS)
  verify(second, NOW_MS)

  ended.add('session-1').add('session-3')

  assert.deepEqual(verify(token, NOW_MS), INVALID)
  assert.deepEqual(verify(third, NOW_MS), INVALID)
  assert.equal(verify(second, NOW_MS).kind, 'valid')
})

test('no more tokens are cached than the capacity', () => {
  const checked = countChecks(key)
  const { verify } = credentials({ keys: [checked.key], capacity: 10 })
  const tokens = Array.from({ length: 100 }, (_, i) => signToken(key, someClaims({ sessionId: `s-${i}` })))
  for (const each of tokens) verify(each, NOW_MS)
  const before = checked.count()

  // The latest first, so that none of them is evicted before it is read.
  for (const each of tokens.toReversed()) assert.equal(verify(each, NOW_MS).kind, 'valid')

  const cached = tokens.length - (checked.count() - before)
  assert.ok(cached >= 5 && cached <= 10, `${cached} of 100`)
})

test('a token in use stays cached, however many others pass', () => {
  const checked = countChecks(key)
  const { verify } = credentials({ keys: [checked.key], capacity: 10 })
  const passing = Array.from({ length: 100 }, (_, i) => signToken(key, someClaims({ sessionId: `s-${i}` })))

  for (const each of passing) {
    verify(each, NOW_MS)
    verify(token, NOW_MS)
  }

  assert.equal(checked.count(), passing.length + 1)
})

test('a rejected token evicts nothing', () => {
  const checked = countChecks(key)
  const { verify } = credentials({ keys: [checked.key], capacity: 2 })
  verify(token, NOW_MS)

  for (let i = 0; i < 100; i += 1) {
    verify(signToken({ ...other, kid: key.kid }, someClaims({ sessionId: `s-${i}` })), NOW_MS)
  }
  const before = checked.count()
  verify(token, NOW_MS)

  assert.equal(checked.count(), before)
})

interface Given {
  keys?: readonly SigningKey[]
  isEnded?: (claims: TokenClaims) => boolean
  capacity?: number
}

function credentials({ keys = [key], isEnded = () => false, capacity = 1_000 }: Given = {}) {
  const byId = new Map(keys.map((each) => [each.kid, each]))
  return createVerifiedCredentials({ keys: () => byId, isEnded, capacity })
}

/** The key, with a count of how often it verifies a signature. */
function countChecks(key: SigningKey): { key: SigningKey; count: () => number } {
  let checks = 0
  const counted = {
    kid: key.kid,
    privateKey: key.privateKey,
    createdMs: key.createdMs,
    get publicKey() {
      checks += 1
      return key.publicKey
    },
  }
  return { key: counted, count: () => checks }
}
