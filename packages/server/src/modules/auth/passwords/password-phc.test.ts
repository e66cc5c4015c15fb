import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseHash, printHash } from './password-phc.ts'

const SALT = 'c29tZXNhbHQ'
const TAG = 'CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
const good = `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${TAG}`

test('any hash within the bounds is parsed as it was printed', () => {
  const bytes = (minLength: number) =>
    fc.uint8Array({ minLength, maxLength: 64 }).map((array) => Buffer.from(array))
  const hash = fc.record(
    {
      memoryKib: fc.integer({ min: 32, max: 65_536 }),
      passes: fc.integer({ min: 1, max: 10 }),
      parallelism: fc.integer({ min: 1, max: 4 }),
      salt: bytes(8),
      tag: bytes(16),
    },
    { noNullPrototype: true },
  )

  fc.assert(fc.property(hash, (given) => assert.deepEqual(parseHash(printHash(given)), given)))
})

const bad: Readonly<Record<string, string>> = {
  'a gigabyte': good.replace('m=19456', 'm=1048576'),
  'one KiB above the bound': good.replace('m=19456', 'm=65537'),
  'memory beyond any integer': good.replace('m=19456', 'm=99999999999999999999'),
  'less memory than a lane needs': good.replace('m=19456,t=2,p=1', 'm=15,t=2,p=2'),
  'too many passes': good.replace('t=2', 't=11'),
  'no pass': good.replace('t=2', 't=0'),
  'too many lanes': good.replace('p=1', 'p=5'),
  'a number with a zero before it': good.replace('t=2', 't=02'),
  'a number with a fraction': good.replace('t=2', 't=2.0'),
  'a negative number': good.replace('t=2', 't=-2'),
  'costs in another order': good.replace('m=19456,t=2', 't=2,m=19456'),
  'another argon2': good.replace('argon2id', 'argon2i'),
  'an older version': good.replace('v=19', 'v=16'),
  'no version': good.replace('$v=19', ''),
  'a short salt': good.replace(SALT, 'c29tZXM'),
  'no salt': good.replace(SALT, ''),
  'a tag that is too short': good.replace(TAG, TAG.slice(0, 20)),
  'no tag': good.replace(TAG, ''),
  'a tag that is too long': good.replace(TAG, TAG.repeat(3)),
  'padded base64': `${good}=`,
  'unused bits of the last character set': `${good.slice(0, -1)}d`,
  'the alphabet of URLs': good.replace(TAG, TAG.replace('O', '-')),
  'a line break behind it': `${good}\n`,
  'something before it': ` ${good}`,
  'another scheme': '$2b$12$C6UzMDM.H6dfI/f/IKcEeO7ZLy1yyUXgWqKbmUPiVrVZ1LLGdZ5Li',
  nothing: '',
}

test('the unchanged hash is parsed', () => {
  assert.equal(parseHash(good)?.memoryKib, 19_456)
})

for (const [name, text] of Object.entries(bad)) {
  test(`rejected: ${name}`, () => {
    assert.equal(parseHash(text), undefined)
  })
}
