import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { outsideFolderOf } from '../dev-stack/postgres-folder.ts'
import { isRoot } from '../dev-stack/system-user.ts'

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
