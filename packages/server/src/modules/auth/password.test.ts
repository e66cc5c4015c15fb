import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPassword, hashPassword, needsRehash } from './password.ts'

/** Of the reference implementation's own tests, with the password `password`. */
const foreign = {
  '64 MiB': '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '256 KiB': '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
}

test('the password that was hashed is the one that passes', async () => {
  const stored = await hashPassword('correct horse')

  assert.equal(await checkPassword('correct horse', stored), true)
  for (const other of ['correct horsf', 'Correct horse', 'correct horse ', 'correct', '']) {
    assert.equal(await checkPassword(other, stored), false, other)
  }
})

test('what is stored names its algorithm and its cost, and no two are alike', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])

  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
  assert.equal(needsRehash(first), false)
})

for (const [name, stored] of Object.entries(foreign)) {
  test(`a hash of another maker (${name}) is understood, and wants to be made again`, async () => {
    assert.equal(await checkPassword('password', stored), true)
    assert.equal(await checkPassword('passwore', stored), false)
    assert.equal(needsRehash(stored), true)
  })
}

test('a password typed on another keyboard is the same password', async () => {
  const stored = await hashPassword('mañana-ﬁ-123')

  assert.equal(await checkPassword('man\u0303ana-fi-１２３', stored), true)
  assert.equal(await checkPassword('manana-fi-123', stored), false)
})

test('a name that nobody has is refused, and takes as long as one that somebody has', async () => {
  const stored = await hashPassword('correct horse')
  const best = { known: Infinity, unknown: Infinity }

  for (let round = 0; round < 5; round += 1) {
    best.known = Math.min(best.known, await timeOf(() => checkPassword('wrong horse', stored)))
    best.unknown = Math.min(best.unknown, await timeOf(() => checkPassword('wrong horse', undefined)))
  }

  assert.equal(await checkPassword('wrong horse', undefined), false)
  const ratio = best.unknown / best.known
  // Without the work, a thousandth. The best of five of the same work differ by less than half on a busy machine.
  assert.ok(ratio > 0.5 && ratio < 2, `known ${best.known} ms, unknown ${best.unknown} ms`)
})

test('a stored hash that cannot be read is thrown, without what is in it', async () => {
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
