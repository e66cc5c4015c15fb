import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { projectRoot } from '../../tools/house/source-files.ts'

const run = promisify(execFile)

test('CONTRIBUTING, followed word by word, gives a working, tested endpoint', async (t) => {
  const copy = await copyProject()
  t.after(() => rm(copy, { recursive: true }))
  const { blocks, text } = await readGuide()
  const [declaration, listLine, routes, arrow, handlers, routesTest] = blocks
  const importLine = quoted(text, /`(import \* as ourTime [^`]+)`/)
  const handlersImport = quoted(text, /`(import \{ timeRoutes \} [^`]+)`/)

  await write(copy, 'packages/contract/src/ours/time.ts', declaration)
  await edit(copy, 'packages/contract/src/operations.ts', /^import \* as ourOperations/m, `${importLine}\n$&`)
  await edit(copy, 'packages/contract/src/operations.ts', /^ {2}ourOperations,$/m, '$&\n  ourTime,')
  await edit(copy, 'e2e/api/interface-list.ts', /^export const ourOperations.*\[$/m, `$&\n${listLine}`)
  await write(copy, 'packages/server/src/modules/time/routes.ts', routes)
  await write(copy, 'packages/server/src/modules/time/README.md', '# time\n')
  await edit(copy, 'tools/house/rooms.ts', /^ {2}'modules\/auth'/m, `${arrow}$&`)
  await edit(copy, 'packages/server/src/app/build-handlers.ts', /^import/m, `${handlersImport}\n$&`)
  await edit(copy, 'packages/server/src/app/build-handlers.ts', / {2}return \{\}\n/, handlers ?? '')
  await write(copy, 'packages/server/src/modules/time/routes.test.ts', routesTest)
  const steps = quoted(text, /```\n(npm run generate[\s\S]+?)```/)
  const files = quoted(steps, /npm test -- ([\s\S]+)/).replaceAll('\\\n', ' ')

  await run('node', ['tools/generate.ts'], { cwd: copy })
  await run('biome', ['check', '--write', 'packages', 'tools', 'e2e/api'], { cwd: copy })
  await run('tsc', ['-p', '.'], { cwd: copy })
  await run('node', ['tools/check-arrows.ts'], { cwd: copy })
  const { stdout } = await run('bash', ['-c', `node tools/run-tests.ts ${files}`], {
    cwd: copy,
    env: outerEnvironment(),
  })

  assert.match(stdout, /✔ the time is that of the request/)
  assert.match(stdout, /^ℹ fail 0$/m)
})

/** The tracked and new files, with the dependencies of this checkout and the packages of the copy. */
async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'continuity-newcomer-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  for (const path of listed.trim().split('\n')) {
    await mkdir(join(copy, dirname(path)), { recursive: true })
    await cp(join(projectRoot, path), join(copy, path)).catch(() => {})
  }
  await mkdir(join(copy, 'node_modules/@continuity'), { recursive: true })
  for (const name of await readdir(join(projectRoot, 'node_modules'))) {
    if (name !== '@continuity')
      await symlink(join(projectRoot, 'node_modules', name), join(copy, 'node_modules', name))
  }
  for (const name of await readdir(join(copy, 'packages'))) {
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules/@continuity', name))
  }
  execFileSync('git', ['init', '-q'], { cwd: copy })
  return copy
}

async function readGuide(): Promise<{ text: string; blocks: string[] }> {
  const whole = await readFile(join(projectRoot, 'CONTRIBUTING.md'), 'utf8')
  const text = whole.slice(whole.indexOf('## Add an endpoint'))
  return { text, blocks: [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!) }
}

function quoted(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]
  assert.ok(found !== undefined, `CONTRIBUTING no longer says ${pattern.source}`)
  return found
}

async function write(copy: string, path: string, content: string | undefined): Promise<void> {
  assert.ok(content !== undefined, `CONTRIBUTING has no block for ${path}`)
  await mkdir(join(copy, dirname(path)), { recursive: true })
  await writeFile(join(copy, path), content)
}

async function edit(copy: string, path: string, place: RegExp, replacement: string): Promise<void> {
  const before = await readFile(join(copy, path), 'utf8')
  const after = before.replace(place, replacement)
  assert.notEqual(after, before, `${path} has no place for what CONTRIBUTING adds`)
  await writeFile(join(copy, path), after)
}

/** A test runner inside of a test runner would report to the outer one. */
function outerEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return env
}
