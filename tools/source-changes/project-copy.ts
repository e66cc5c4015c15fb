import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../architecture/source-files.ts'
import { linkDependencies } from '../previous-release/check-out.ts'

const run = promisify(execFile)

/** One deliberate mistake: the text `from`, which occurs once in the file, becomes `to`. */
export interface SourceChange {
  /** From the project's root. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A runnable copy of the working tree, in which files can be broken without touching the original. */
export interface ProjectCopy extends AsyncDisposable {
  readonly folder: string
  apply(change: SourceChange): Promise<void>
  /** Restores every changed file. */
  restore(): Promise<void>
}

export async function copyProject(root = projectRoot): Promise<ProjectCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-copy-'))
  // Servers that run as another user must be able to read it.
  await run('chmod', ['755', folder])
  await copyFiles(await listFiles(root), root, folder)
  await linkDependencies(root, folder)
  const originals = new Map<string, string>()
  return {
    folder,
    async apply(change) {
      const path = join(folder, change.file)
      const text = await readFile(path, 'utf8')
      if (!originals.has(change.file)) originals.set(change.file, text)
      await writeFile(path, applyChange(text, change))
    },
    async restore() {
      for (const [file, text] of originals) await writeFile(join(folder, file), text)
      originals.clear()
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** What git knows or would know; all there is in a copy, which is no checkout. */
async function listFiles(root: string): Promise<string[]> {
  if (!existsSync(join(root, '.git'))) {
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((file) => !file.split('/').includes('node_modules'))
  }
  const listing = ['ls-files', '-co', '--exclude-standard', '-z']
  const { stdout } = await run('git', listing, { cwd: root, maxBuffer: 2 ** 26 })
  return stdout.split('\0').filter((file) => file !== '')
}

/** Throws where the text is missing or ambiguous: a change that changes nothing would be a control that controls nothing. */
export function applyChange(text: string, { file, from, to }: SourceChange): string {
  const count = text.split(from).length - 1
  if (count !== 1) throw new Error(`${file} contains ${JSON.stringify(from)} ${count} times, expected once`)
  if (from === to) throw new Error(`${file}: the change leaves ${JSON.stringify(from)} as it is`)
  return text.replace(from, () => to)
}

/** By one process for all of them: three thousand calls from here take three times as long. */
async function copyFiles(files: readonly string[], root: string, folder: string): Promise<void> {
  // Git lists what was deleted in the working tree, too.
  const existing = files.filter((file) => existsSync(join(root, file)))
  const copying = run('xargs', ['-0', 'cp', '--parents', '--target-directory', folder], { cwd: root })
  copying.child.stdin!.end(existing.join('\0'))
  await copying
}
