import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type KeysFile, readCredentialKeys } from './credential-keys.ts'
import { describeKeys, type KeyState, pruneKeys, rotateKeys } from './credential-keys-rotation.ts'

export type RotationResult =
  | { readonly kind: 'rotated'; readonly keys: readonly KeyState[] }
  | { readonly kind: 'refused'; readonly fault: string }

/** Adds a key to the file and drops those that are not needed any longer. Running processes follow by themselves. */
export async function rotateKeysFile(path: string, nowMs: number): Promise<RotationResult> {
  const read = await readCredentialKeys(path)
  if (read.kind === 'refused') return read
  const file = rotateKeys(pruneKeys(read.file, nowMs), nowMs)
  await writeKeysFile(path, file)
  return { kind: 'rotated', keys: describeKeys(file, nowMs) }
}

/**
 * Writes the file of keys, whole or not at all: a reader finds the old file or
 * the new one, also after a power cut.
 *
 * A file that is there keeps its owner and mode. Whoever rotates keys is often
 * not the user that the API runs as, and that user must still be able to read
 * them; where that cannot be kept, nothing is changed. A link stays a link.
 */
export async function writeKeysFile(path: string, file: KeysFile): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const temporary = `${target}.${randomUUID()}.tmp`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    try {
      await handle.writeFile(`${JSON.stringify(file, null, 2)}\n`)
      await keepOwner(target, handle)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
}

async function keepOwner(target: string, handle: FileHandle): Promise<void> {
  const before = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (before === undefined) return
  await handle.chown(before.uid, before.gid)
  await handle.chmod(before.mode & 0o777)
}

/** The new name is in the folder, which is written to disk on its own. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
