import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { compileCache } from '@continuity/dev/compile-cache'
import { projectRoot } from '@continuity/dev/project-root'

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
  const folder = await mkdtemp(join(tmpdir(), 'continuity-copy-'))
  const copy = `
    git ls-files -co --exclude-standard -z | xargs -0 ls -d 2>/dev/null | tr '\\n' '\\0' |
      xargs -0 cp --parents --target-directory ${folder}
    mkdir -p ${folder}/node_modules/@continuity
    for name in $(ls -A node_modules); do
      [ "$name" = @continuity ] || ln -s "$PWD/node_modules/$name" ${folder}/node_modules/$name
    done
    for name in $(ls packages); do
      ln -s ${folder}/packages/$name ${folder}/node_modules/@continuity/$name
      [ ! -e packages/$name/node_modules ] || ln -s "$PWD/packages/$name/node_modules" ${folder}/packages/$name/
    done
    chmod 755 ${folder} && git -C ${folder} init -q`
  execFileSync('bash', ['-c', copy], { cwd: projectRoot })
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
