import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from './private-file.ts'

/** The settings of those who seal secrets. The key is made on the first start and kept, as what it has sealed is. */
export async function ensureSecretKeys(home: string): Promise<{ readonly SECRET_KEYS_FILE: string }> {
  const path = join(home, 'secret-keys')
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) await writePrivateFile(path, `${randomBytes(32).toString('base64')}\n`)
  return { SECRET_KEYS_FILE: path }
}
