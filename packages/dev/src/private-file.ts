import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'

/**
 * Writes a file that only its owner may read, whole or not at all.
 *
 * It is synced before it takes its name: after a power cut the name must not
 * stand on an empty file, for some of these hold keys that exist nowhere else.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
