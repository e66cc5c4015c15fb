import { randomBytes } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from './private-file.ts'

/** The settings of those who seal secrets. The key is made on the first start and kept, as what it has sealed is. */
export async function ensureSecretKeys(home: string): Promise<{ readonly SECRET_KEYS_FILE: string }> {
  const path = join(home, 'secret-keys')
  await ensureKey(path)
  return { SECRET_KEYS_FILE: path }
}

/** The settings of those who mint and read viewing sessions. Those of an earlier start are still counted. */
export async function ensureViewingKey(home: string): Promise<{ readonly VIEWING_KEY: string }> {
  const path = join(home, 'viewing-key')
  await ensureKey(path)
  return { VIEWING_KEY: (await readFile(path, 'utf8')).trim() }
}

async function ensureKey(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) await writePrivateFile(path, `${randomBytes(32).toString('base64')}\n`)
}
