import { rm } from 'node:fs/promises'
import { outsideFolderOf } from './postgres-folder.ts'
import { isRoot } from './system-user.ts'

/** Removes a home whose stack has stopped, with the data that root's database may keep outside. */
export async function removeHome(home: string): Promise<void> {
  const folders = isRoot() ? [home, outsideFolderOf(home)] : [home]
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}
