import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { outsideFolderOf } from '@continuity/dev/postgres-folder'
import { isRoot } from '@continuity/dev/system-user'
import { killProcessesOf } from './processes.ts'

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

/** As a process of its own it waits until the pipe from a run closes, and ends what the run has left. */
if (import.meta.main) {
  // Signals to the whole process group are meant for the run; its end is waited for.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.stdin.resume()
  await new Promise((resolve) => process.stdin.once('close', resolve))
  const folder = process.argv[2]!
  await killProcessesOf(folder)
  await removeRunFolder(folder)
}
