import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

// Debian puts servers into sbin, which an ordinary user does not search.
const SERVER_FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/local/sbin', '/usr/sbin']

/** The file of a program, from the folders of a PATH and then from where servers are usually installed. */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  const folders = searchPath.split(':').filter((folder) => folder.startsWith('/'))
  for (const folder of [...folders, ...SERVER_FOLDERS]) {
    const path = join(folder, name)
    if (await canRun(path)) return path
  }
  return undefined
}

export async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
