import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { compileCache } from '../../tools/dev-stack/compile-cache.ts'
import { projectRoot } from '../../tools/house/source-files.ts'
import { linkDependencies } from '../../tools/previous-release/check-out.ts'

const execute = promisify(execFile)

interface Printed {
  readonly stdout: string
  readonly stderr: string
}

const OUTPUT_MAXIMUM = 16 * 1024 * 1024

/** A checkout in which a newcomer works. */
export interface ProjectCopy {
  readonly folder: string
  write(path: string, content: string | undefined): Promise<void>
  /** Puts something in at a place, in the way of String.replace. */
  edit(path: string, place: RegExp, replacement: string): Promise<void>
  /** What was written or edited: the rest is as formatted as the original. */
  touched(): readonly string[]
  /** Runs a line of shell, and gives what it printed. */
  run(line: string): Promise<string>
}

/** The tracked and new files, with the dependencies of this checkout and the packages of the copy. */
export async function copyProject(): Promise<ProjectCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-newcomer-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  for (const path of listed.trim().split('\n')) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    // One that is listed and gone was deleted and not yet committed.
    await cp(join(projectRoot, path), join(folder, path)).catch(() => {})
  }
  await linkDependencies(projectRoot, folder)
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
    async edit(path, place, replacement) {
      const before = await readFile(join(folder, path), 'utf8')
      const after = before.replace(place, replacement)
      assert.notEqual(after, before, `${path} has no place for what CONTRIBUTING adds`)
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
        throw new Error(`It failed: ${line}\n${failure.stdout}${failure.stderr}`)
      })
      return (await done).stdout
    },
  }
}

/** A test runner inside of a test runner would report to the outer one, and use its database. */
function outerEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, TEST_TEMPLATE_URL: __, TEST_SERVICE_URL: ___, ...env } = process.env
  return env
}
