import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSigningKey, NOW_MS, someClaims } from '../../http/testing/credentials.ts'
import { type SigningKey, signToken, type TokenClaims, verifyToken } from './access-token.ts'
import { forgedTokens } from './testing/forged-tokens.ts'
import { createVerifiedCredentials } from './verified-credentials.ts'

const key = aSigningKey('key-1')
const other = aSigningKey('key-2')
const token = signToken(key, someClaims())

const INVALID = { kind: 'refused', reason: 'invalid' }
const EXPIRED = { kind: 'refused', reason: 'expired' }

test('a token says the same the first time and every other time', () => {
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
  test(`refused each time, also beside the good token: ${name}`, () => {
    const { verify } = credentials()
    verify(token, NOW_MS)
    const expected = verifyToken(new Map([[key.kid, key]]), forged, NOW_MS)

    const results = [verify(forged, NOW_MS), verify(forged, NOW_MS)]

    assert.deepEqual(results, [expected, expected])
    assert.equal(expected.kind, 'refused')
  })
}

test('a token that is remembered expires at its second all the same', () => {
  const { verify } = credentials()
  const { expiresMs } = someClaims()
  verify(token, NOW_MS)

  assert.equal(verify(token, expiresMs - 1).kind, 'valid')
  assert.deepEqual(verify(token, expiresMs), EXPIRED)
})

test('a token that had expired when it was first seen is not remembered as good', () => {
  const { verify } = credentials()
  const { expiresMs } = someClaims()

  assert.deepEqual(verify(token, expiresMs), EXPIRED)
  assert.deepEqual(verify(token, expiresMs), EXPIRED)
})

test('a key that is taken away stops working at once', () => {
  const keys = new Map([key, other].map((each) => [each.kid, each]))
  const { verify } = createVerifiedCredentials({ keys: () => keys, isEnded: () => false, capacity: 10 })
  const otherToken = signToken(other, someClaims())
  verify(token, NOW_MS)
  verify(otherToken, NOW_MS)

  keys.delete(key.kid)

  assert.deepEqual(verify(token, NOW_MS), INVALID)
  assert.equal(verify(otherToken, NOW_MS).kind, 'valid')
})

test('another key under the same id does not answer for what the first one signed', () => {
  let keys = new Map([[key.kid, key]])
  const { verify } = createVerifiedCredentials({ keys: () => keys, isEnded: () => false, capacity: 10 })
  verify(token, NOW_MS)

  keys = new Map([[key.kid, { ...other, kid: key.kid }]])

  assert.deepEqual(verify(token, NOW_MS), INVALID)
})

test('a session that is ended is refused from then on, remembered or not', () => {
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

test('no more tokens are remembered than there is room for', () => {
  const checked = countChecks(key)
  const { verify } = credentials({ keys: [checked.key], capacity: 10 })
  const tokens = Array.from({ length: 100 }, (_, i) => signToken(key, someClaims({ sessionId: `s-${i}` })))
  for (const each of tokens) verify(each, NOW_MS)
  const before = checked.count()

  // The latest first, so that none of them is pushed out before its turn.
  for (const each of tokens.toReversed()) assert.equal(verify(each, NOW_MS).kind, 'valid')

  const remembered = tokens.length - (checked.count() - before)
  assert.ok(remembered >= 5 && remembered <= 10, `${remembered} of 100`)
})

test('a token in use stays, however many others come and go', () => {
  const checked = countChecks(key)
  const { verify } = credentials({ keys: [checked.key], capacity: 10 })
  const passing = Array.from({ length: 100 }, (_, i) => signToken(key, someClaims({ sessionId: `s-${i}` })))

  for (const each of passing) {
    verify(each, NOW_MS)
    verify(token, NOW_MS)
  }

  assert.equal(checked.count(), passing.length + 1)
})

test('what is refused pushes nothing out', () => {
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

/** The key as it is, counting how often it is taken out to check a signature. */
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
