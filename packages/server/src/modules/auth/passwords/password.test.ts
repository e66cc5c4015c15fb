import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPassword, hashPassword, needsRehash } from './password.ts'

/** From the tests of the reference implementation, for the password `password`. */
const foreign = {
  '64 MiB': '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '256 KiB': '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
}

test('only the password that was hashed is accepted', async () => {
  const stored = await hashPassword('correct horse')

  assert.equal(await checkPassword('correct horse', stored), true)
  for (const other of ['correct horsf', 'Correct horse', 'correct horse ', 'correct', '']) {
    assert.equal(await checkPassword(other, stored), false, other)
  }
})

test('a stored hash contains its algorithm and cost, and hashes of one password differ', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])

  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
  assert.equal(needsRehash(first), false)
})

for (const [name, stored] of Object.entries(foreign)) {
  test(`a hash of another library (${name}) is accepted and needs a rehash`, async () => {
    assert.equal(await checkPassword('password', stored), true)
    assert.equal(await checkPassword('passwore', stored), false)
    assert.equal(needsRehash(stored), true)
  })
}

test('a password is accepted in another Unicode form', async () => {
  const stored = await hashPassword('mañana-ﬁ-123')

  assert.equal(await checkPassword('man\u0303ana-fi-１２３', stored), true)
  assert.equal(await checkPassword('manana-fi-123', stored), false)
})

test('an unknown user is rejected, and that takes as long as a wrong password', async () => {
  const stored = await hashPassword('correct horse')
  const best = { known: Infinity, unknown: Infinity }

  for (let round = 0; round < 5; round += 1) {
    best.known = Math.min(best.known, await timeOf(() => checkPassword('wrong horse', stored)))
    best.unknown = Math.min(best.unknown, await timeOf(() => checkPassword('wrong horse', undefined)))
  }

  assert.equal(await checkPassword('wrong horse', undefined), false)
  const ratio = best.unknown / best.known
  // Without the dummy hash: a thousandth. On a busy machine, the best of five runs differ by less than half.
  assert.ok(ratio > 0.5 && ratio < 2, `known ${best.known} ms, unknown ${best.unknown} ms`)
})

test('a stored hash that cannot be parsed throws an error without its content', async () => {
  await assert.rejects(checkPassword('correct horse', '$2b$12$abcdefghijklmnopqrstuv'), (error: Error) => {
    assert.match(error.message, /cannot be read/)
    assert.doesNotMatch(error.message, /abcdef|horse/)
    return true
  })
})

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
