import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { NOW_MS, someClaims } from '../../../http/testing/credentials.ts'
import { aKeyEntry, aKeysFile } from '../testing/a-keys-file.ts'
import { signToken, verifyToken } from './access-token.ts'
import { credentialKeys } from './credential-keys.ts'

test('every key of the file verifies tokens and has its creation time', async (t) => {
  const file = { keys: [aKeyEntry('new', 5_000), aKeyEntry('old')] }

  const result = await credentialKeys.read(await aKeysFile(t, file))

  assert.ok(result.kind === 'read')
  assert.deepEqual(result.file, file)
  const made = [...result.keys.values()].map(({ kid, createdMs }) => [kid, createdMs])
  assert.deepEqual(made, [
    ['new', NOW_MS + 5_000],
    ['old', NOW_MS],
  ])
  for (const key of result.keys.values()) {
    assert.equal(verifyToken(result.keys, signToken(key, someClaims()), NOW_MS).kind, 'valid')
  }
})

test('the error for an invalid file contains nothing of the file', async (t) => {
  const good = aKeyEntry('good')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const otherKind = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const { created_at: _, ...withoutTime } = good
  const files: readonly (readonly [unknown, RegExp])[] = [
    [{ keys: [] }, /contains no key/],
    [{ keys: [good, { ...good, kid: 'wrong', private_key: otherKind }] }, /not an Ed25519 key, at index 1/],
    [{ keys: [good, good] }, /same kid, at index 1/],
    [{ keys: [{ ...good, private_key: 'secret' }] }, /not an Ed25519 key, at index 0/],
    [{ keys: [{ ...good, created_at: 'secret' }] }, /created_at is not a time, at index 0/],
    [{ keys: [{ ...good, created_at: '2026-03-01T18:00:00' }] }, /created_at is not a time, at index 0/],
    [{ keys: [{ ...good, created_at: '2026-13-01T18:00:00Z' }] }, /created_at is not a time, at index 0/],
    [{ keys: [{ ...good, kid: '' }] }, /not of the form/],
    [{ keys: [withoutTime] }, /not of the form/],
    [{ keys: [null] }, /not of the form/],
    ['null', /not of the form/],
    [`${JSON.stringify({ keys: [good] })},`, /not of the form/],
    ['secret', /not of the form/],
  ]
  for (const [content, fault] of files) {
    const result = await credentialKeys.read(await aKeysFile(t, content))

    assert.ok(result.kind === 'rejected', String(fault))
    assert.match(result.fault, fault)
    assert.doesNotMatch(result.fault, /PRIVATE KEY|secret|MC4C|2026/)
  }
})

test('a missing file cannot be read', async () => {
  assert.deepEqual(await credentialKeys.read('/nowhere/keys.json'), {
    kind: 'rejected',
    fault: 'CREDENTIAL_KEYS_FILE /nowhere/keys.json cannot be read',
  })
})
