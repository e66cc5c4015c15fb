import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import type { KeyEntry } from '../../../platform/signing-keys/keys-file.ts'

/** An entry of the file, created `afterMs` after `NOW_MS`. */
export function aKeyEntry(kid: string, afterMs = 0): KeyEntry {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    kid,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    created_at: new Date(NOW_MS + afterMs).toISOString(),
  }
}

/** A key file in a temporary folder, with this text or JSON value. */
export async function aKeysFile(t: TestContext, content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credential-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'keys.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })
  return path
}
