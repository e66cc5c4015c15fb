import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { compileCache } from '@continuity/dev/compile-cache'
import { copyProject as copyTree } from '../../tools/source-changes/project-copy.ts'

const execute = promisify(execFile)

interface Printed {
  readonly stdout: string
  readonly stderr: string
}

const OUTPUT_MAXIMUM = 16 * 1024 * 1024

/** A copy of the checkout to work in. */
export interface ProjectCopy {
  readonly folder: string
  write(path: string, content: string | undefined): Promise<void>
  /** Replaces a pattern, as String.replace does. */
  edit(path: string, pattern: RegExp, replacement: string): Promise<void>
  /** Files written or edited: the others are already formatted. */
  touched(): readonly string[]
  /** Runs a shell command; returns its output. */
  run(line: string): Promise<string>
}

/** The tracked and new files, with the dependencies of this checkout and the packages of the copy. */
export async function copyProject(): Promise<ProjectCopy> {
  const { folder } = await copyTree()
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const touched = new Set<string>()

  return {
    folder,
    async write(path, content) {
      assert.ok(content !== undefined, `CONTRIBUTING has no block for ${path}`)
      await mkdir(join(folder, dirname(path)), { recursive: true })
      await writeFile(join(folder, path), content)
      touched.add(path)
    },
    async edit(path, pattern, replacement) {
      const before = await readFile(join(folder, path), 'utf8')
      const after = before.replace(pattern, replacement)
      assert.notEqual(after, before, `${path} has no match for the edit in CONTRIBUTING`)
      await writeFile(join(folder, path), after)
      touched.add(path)
    },
    touched: () => [...touched],
    async run(line) {
      const options = {
        cwd: folder,
        env: { ...outerEnvironment(), ...compileCache(folder) },
        maxBuffer: OUTPUT_MAXIMUM,
      }
      const done = execute('bash', ['-ec', line], options).catch((failure: Printed) => {
        throw new Error(`failed: ${line}\n${failure.stdout}${failure.stderr}`)
      })
      return (await done).stdout
    },
  }
}

/** A nested test runner would report to the outer one, and use its database. */
function outerEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, TEST_TEMPLATE_URL: __, TEST_SERVICE_URL: ___, ...env } = process.env
  return env
}
