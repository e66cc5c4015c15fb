import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** An asset has about ten folders; forgetting them costs a few more syncs and nothing else. */
const REMEMBERED = 10_000

/**
 * Makes the entries of a folder outlive a power cut, and those of the folders
 * above it, up to the root.
 *
 * The ones above are synced once by this process: after that their entries on
 * the way to this folder are safe. Whoever made them may have been another
 * process that was killed before its own sync.
 */
export function syncFolders(root: string): (folder: string) => Promise<void> {
  const reached = new Map<string, string>() // the identity of each folder whose way from the root is safe

  return async (folder) => {
    const identity = await syncFolder(folder)
    if (reached.get(folder) === identity) return
    for (let above = folder; above !== root; ) {
      above = dirname(above)
      await syncFolder(above)
    }
    if (reached.size >= REMEMBERED) reached.clear()
    reached.set(folder, identity)
  }
}

/** Not by its inode alone: a folder that is removed and made again may get the same one. */
async function syncFolder(folder: string): Promise<string> {
  await using handle = await open(folder)
  await handle.sync()
  const { ino, birthtimeNs } = await handle.stat({ bigint: true })
  return `${ino}/${birthtimeNs}`
}
