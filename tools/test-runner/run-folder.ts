import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { outsideFolderOf } from '@continuity/dev/postgres-folder'
import { isRoot } from '@continuity/dev/system-user'

/** Removes the folder of a run or of a file, with the databases that homes inside of it keep elsewhere. */
export async function removeRunFolder(folder: string): Promise<void> {
  if (isRoot()) {
    const homes = globSync(['*', '*/*', '*/*/*'], { cwd: folder }).map((name) =>
      outsideFolderOf(`${folder}/${name}`),
    )
    for (const home of homes) await rm(home, { recursive: true, force: true })
  }
  // Something that was killed a moment ago may still have been writing.
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}
