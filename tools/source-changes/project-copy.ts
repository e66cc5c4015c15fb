import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../house/source-files.ts'
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
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  const files = stdout.split('\0').filter((file) => file !== '')
  for (const file of files) await cp(join(root, file), join(folder, file)).catch(ignoreDeleted)
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

/** Throws where the text is missing or ambiguous: a change that changes nothing would be a control that controls nothing. */
export function applyChange(text: string, { file, from, to }: SourceChange): string {
  const count = text.split(from).length - 1
  if (count !== 1) throw new Error(`${file} contains ${JSON.stringify(from)} ${count} times, expected once`)
  if (from === to) throw new Error(`${file}: the change leaves ${JSON.stringify(from)} as it is`)
  return text.replace(from, () => to)
}

/** Listed by git, and deleted in the working tree. */
function ignoreDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
