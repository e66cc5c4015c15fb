import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createGit } from './git.ts'

const run = promisify(execFile)

/**
 * Puts the files of a commit into a folder, as a project that can run.
 *
 * Not a worktree of git's: should we be killed, nothing of it stays behind in
 * the repository.
 */
export async function checkOut(root: string, commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'commit.tar')
  await createGit(root).read('archive', '--format=tar', `--output=${archive}`, commit)
  await run('tar', ['-xf', archive, '-C', folder])
}

/** The dependencies of this checkout, and the packages of that one. */
export async function linkDependencies(root: string, folder: string): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(join(to, '@continuity'), { recursive: true })
  for (const name of await readdir(from)) {
    if (name !== '@continuity') await symlink(join(from, name), join(to, name))
  }
  for (const name of await readdir(join(folder, 'packages'))) {
    await symlink(join(folder, 'packages', name), join(to, '@continuity', name))
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) await symlink(own, join(folder, 'packages', name, 'node_modules'))
  }
}
