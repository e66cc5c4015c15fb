import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { KeysFile, PublicKeysFile } from './keys-file.ts'

/**
 * Writes a key file atomically: a reader finds the old file or the new one, also after a power cut.
 *
 * An existing file keeps its owner and mode: keys are often rotated by another user than the one that a process runs as,
 * and that process must still be able to read them. Where that is impossible, nothing is changed. A symlink stays one.
 */
export async function writeKeysFile(
  path: string,
  file: KeysFile | PublicKeysFile,
  mode = 0o600,
): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const temporary = `${target}.${randomUUID()}.tmp`
  const handle = await open(temporary, 'wx', mode)
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

/** A rename is durable only after its folder was synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
