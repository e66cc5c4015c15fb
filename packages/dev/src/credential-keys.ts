import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from './private-file.ts'

/**
 * The file of the keys that sign credentials, made on the first start.
 *
 * Kept for good: with new keys everyone would have to log in again at every start.
 */
export async function ensureCredentialKeys(home: string): Promise<string> {
  const path = join(home, 'credential-keys.json')
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return path
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = {
    kid: randomUUID(),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    created_at: new Date().toISOString(),
  }
  await writePrivateFile(path, `${JSON.stringify({ keys: [key] }, null, 2)}\n`)
  return path
}
