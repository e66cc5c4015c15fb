import assert from 'node:assert/strict'
import { createHmac, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { aSigningKey, NOW_MS, someClaims } from '../../http/testing/credentials.ts'
import { signToken, type TokenResult, verifyToken } from './access-token.ts'

const key = aSigningKey('key-1')
const other = aSigningKey('key-2')
const keys = new Map([[key.kid, key]])
const token = signToken(key, someClaims())
const [header, payload, signature] = token.split('.') as [string, string, string]

const INVALID: TokenResult = { kind: 'refused', reason: 'invalid' }

test('a token says what was signed', () => {
  assert.deepEqual(verifyToken(keys, token, NOW_MS), { kind: 'valid', claims: someClaims() })
})

test('while keys are rotated, tokens of both are good', () => {
  const both = new Map([
    [other.kid, other],
    [key.kid, key],
  ])

  assert.equal(verifyToken(both, token, NOW_MS).kind, 'valid')
  assert.equal(verifyToken(both, signToken(other, someClaims()), NOW_MS).kind, 'valid')
})

test('a token is good until the second at which it expires, and not in it', () => {
  const { expiresMs } = someClaims()

  assert.equal(verifyToken(keys, token, expiresMs - 1).kind, 'valid')
  assert.deepEqual(verifyToken(keys, token, expiresMs), { kind: 'refused', reason: 'expired' })
})

const head = { alg: 'EdDSA', typ: 'at+jwt', kid: 'key-1' }
const claims = decode(payload)

const forgeries: Readonly<Record<string, string>> = {
  'no algorithm': `${encode({ ...head, alg: 'none' })}.${payload}.`,
  'no algorithm, and the signature of another': `${encode({ ...head, alg: 'none' })}.${payload}.${signature}`,
  'the public key as a shared secret': hmac({ ...head, alg: 'HS256' }, key.publicKey),
  'the public key as a shared secret, under our own algorithm': hmac(head, key.publicKey),
  'another type of token, properly signed': signed({ ...head, typ: 'JWT' }, claims, key.privateKey),
  'no type, properly signed': signed({ alg: 'EdDSA', kid: 'key-1' }, claims, key.privateKey),
  'the algorithm in another case, properly signed': signed({ ...head, alg: 'eddsa' }, claims, key.privateKey),
  'a key id that nobody knows': signed({ ...head, kid: 'key-9' }, claims, key.privateKey),
  'no key id': signed({ alg: 'EdDSA', typ: 'at+jwt' }, claims, key.privateKey),
  'the key id of another key': signed(head, claims, other.privateKey),
  'a key of its own in the header': signed(
    { ...head, kid: 'key-9', jwk: other.publicKey.export({ format: 'jwk' }) },
    claims,
    other.privateKey,
  ),
  'another role': `${header}.${encode({ ...claims, roles: ['SCHEDULE'] })}.${signature}`,
  'a later end': `${header}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
  'another account': `${header}.${encode({ ...claims, acc: 'account-2' })}.${signature}`,
  'the signature of another token': `${header}.${payload}.${signToken(key, someClaims({ deviceId: 'x' })).split('.')[2]}`,
  'no signature': `${header}.${payload}.`,
  'an empty signature and no dot': `${header}.${payload}`,
  'half of a signature': `${header}.${payload}.${signature.slice(0, 43)}`,
  'a signature with more behind it': `${token}AAAA`,
  'a part too many': `${token}.${signature}`,
  'a part before': `.${token}`,
  'padded parts': `${header}=.${payload}=.${signature}==`,
  'a padded signature': `${token}==`,
  'a line break behind it': `${token}\n`,
  'spaces around it': ` ${token} `,
  'a scheme before it': `Bearer ${token}`,
  'the alphabet of plain base64': `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}+`,
  'a payload that is no object, properly signed': signed(head, 'null', key.privateKey),
  'a payload that is no JSON, properly signed': signed(head, 'x', key.privateKey),
  'claims that are missing, properly signed': signed(head, { sub: 'user-1' }, key.privateKey),
  'an end that is text, properly signed': signed(head, { ...claims, exp: '9999999999' }, key.privateKey),
  'roles that are text, properly signed': signed(head, { ...claims, roles: 'SCHEDULE' }, key.privateKey),
  'a device that is empty, properly signed': signed(head, { ...claims, dev: '' }, key.privateKey),
  'more than any token of ours': signed({ ...head, pad: 'x'.repeat(5_000) }, claims, key.privateKey),
  nothing: '',
  dots: '..',
}

for (const [name, forged] of Object.entries(forgeries)) {
  test(`refused: ${name}`, () => {
    assert.deepEqual(verifyToken(keys, forged, NOW_MS), INVALID)
  })
}

test('refused: a signature with the order of the curve added to it, which says the same', () => {
  const bytes = Buffer.from(signature, 'base64url')
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
  const moved = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()

  const forged = `${header}.${payload}.${Buffer.concat([bytes.subarray(0, 32), moved]).toString('base64url')}`

  assert.deepEqual(verifyToken(keys, forged, NOW_MS), INVALID)
})

test('a token with any one character changed is refused', () => {
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

test('a token has one spelling: the bits behind its last character are not free', () => {
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const others = [...last].map((character) => token.slice(0, -1) + character).filter((text) => text !== token)

  for (const text of others) assert.deepEqual(verifyToken(keys, text, NOW_MS), INVALID, text.slice(-1))
})

test('a token with a part cut off or put in anywhere is refused', () => {
  fc.assert(
    fc.property(fc.nat({ max: token.length - 1 }), fc.nat({ max: 20 }), fc.base64String(), (at, cut, put) => {
      const changed = token.slice(0, at) + put + token.slice(at + cut)
      fc.pre(changed !== token)
      assert.deepEqual(verifyToken(keys, changed, NOW_MS), INVALID)
    }),
    { numRuns: 200 },
  )
})

test('any claims come back as they were signed', () => {
  const word = fc.string({ minLength: 1, maxLength: 40 })
  const second = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000)
  const fields = {
    accountId: word,
    subjectId: word,
    deviceId: word,
    sessionId: word,
    roles: fc.array(word, { maxLength: 5 }),
    issuedMs: second,
    expiresMs: second,
  }
  const someone = fc.record(fields, { noNullPrototype: true })

  fc.assert(
    fc.property(someone, (given) => {
      const result = verifyToken(keys, signToken(key, given), given.expiresMs - 1)
      assert.deepEqual(result, { kind: 'valid', claims: given })
    }),
    { numRuns: 50 },
  )
})

function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
}

function signed(head: object, claims: unknown, privateKey: KeyObject): string {
  const text = `${encode(head)}.${encode(claims)}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

/** What a verifier that lets the token choose its algorithm would accept. */
function hmac(head: object, publicKey: KeyObject): string {
  const text = `${encode(head)}.${payload}`
  const secret = publicKey.export({ type: 'spki', format: 'pem' })
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
