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
  const path = await aFile(t, { keys: [aKey('new'), aKey('old')] })

  const keys = await readCredentialKeys(path)

  assert.deepEqual([...keys.keys()], ['new', 'old'])
  for (const key of keys.values()) {
    assert.equal(verifyToken(keys, signToken(key, someClaims()), NOW_MS).kind, 'valid')
  }
})

test('a key of another kind is refused by its id', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const path = await aFile(t, { keys: [aKey('good'), { kid: 'wrong', private_key: pem }] })

  await assert.rejects(readCredentialKeys(path), /Key wrong in .* is not Ed25519/)
})

test('a file without a key is refused, because nobody could log in', async (t) => {
  await assert.rejects(readCredentialKeys(await aFile(t, { keys: [] })), /There is no key in/)
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
  await writeFile(path, JSON.stringify(content))
  return path
}
