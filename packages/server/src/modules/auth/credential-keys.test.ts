import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { NOW_MS, someClaims } from '../../http/testing/credentials.ts'
import { signToken, verifyToken } from './access-token.ts'
import { readCredentialKeys } from './credential-keys.ts'

test('every key of the file verifies, and the first one stands first', async (t) => {
  const result = await readCredentialKeys(await aFile(t, { keys: [aKey('new'), aKey('old')] }))

  assert.ok(result.kind === 'read')
  assert.deepEqual([...result.keys.keys()], ['new', 'old'])
  for (const key of result.keys.values()) {
    assert.equal(verifyToken(result.keys, signToken(key, someClaims()), NOW_MS).kind, 'valid')
  }
})

test('whatever is wrong with the file, nothing of what is in it is told', async (t) => {
  const good = aKey('good')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const otherKind = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const files: readonly (readonly [unknown, RegExp])[] = [
    [{ keys: [] }, /holds no key/],
    [{ keys: [good, { kid: 'wrong', private_key: otherKind }] }, /not an Ed25519 key, at place 2/],
    [{ keys: [good, good] }, /same kid, at place 2/],
    [{ keys: [{ kid: 'good', private_key: 'secret' }] }, /not an Ed25519 key, at place 1/],
    [{ keys: [{ private_key: good.private_key }] }, /not of the form/],
    [`${JSON.stringify({ keys: [good] })},`, /not of the form/],
    ['secret', /not of the form/],
  ]
  for (const [content, fault] of files) {
    const result = await readCredentialKeys(await aFile(t, content))

    assert.ok(result.kind === 'refused')
    assert.match(result.fault, fault)
    assert.doesNotMatch(result.fault, /PRIVATE KEY|secret|MC4C/)
  }
  const missing = await readCredentialKeys('/nowhere/keys.json')
  assert.deepEqual(missing, {
    kind: 'refused',
    fault: 'CREDENTIAL_KEYS_FILE /nowhere/keys.json cannot be read',
  })
})

function aKey(kid: string) {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    kid,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    created_at: '2026-03-01T18:00:00Z',
  }
}

async function aFile(t: TestContext, content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credential-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'keys.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
