import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** An asset has about ten folders; clearing the map only costs a few more syncs. */
const FOLDERS_MAXIMUM = 10_000

/**
 * Makes the entries of a folder, and those of the folders above it up to the root, durable.
 *
 * The folders above are synced once per process: after that their entries on the path to this folder are durable. They
 * may have been created by another process that was killed before its own sync.
 */
export function syncFolders(root: string): (folder: string) => Promise<void> {
  const synced = new Map<string, string>() // by folder, the identity for which its path from the root is durable

  return async (folder) => {
    const identity = await syncFolder(folder)
    if (synced.get(folder) === identity) return
    for (let above = folder; above !== root; ) {
      above = dirname(above)
      await syncFolder(above)
    }
    if (synced.size >= FOLDERS_MAXIMUM) synced.clear()
    synced.set(folder, identity)
  }
}

/** Not by its inode alone: a folder that is removed and created again may get the same one. */
async function syncFolder(folder: string): Promise<string> {
  await using handle = await open(folder)
  await handle.sync()
  const { ino, birthtimeNs } = await handle.stat({ bigint: true })
  return `${ino}/${birthtimeNs}`
}
