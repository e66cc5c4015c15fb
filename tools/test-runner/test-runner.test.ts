import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '@continuity/dev/project-root'
import { findProcessesOf } from './processes.ts'
import { selectFiles } from './select-files.ts'

const IMPORTS = `import { test } from 'node:test'\nimport { spawn } from 'node:child_process'\nimport { createServer } from 'node:net'\n`

/** A run of test files with these texts; its temporary files are in `folder`. */
async function aRun(t: TestContext, texts: readonly string[], args: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'runner-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const files = texts.map((_, at) => join(folder, `${at}.test.ts`))
  for (const [at, text] of texts.entries()) await writeFile(files[at]!, IMPORTS + text)
  const env = { ...process.env, TMPDIR: folder, TEST_FILE_ENDING_MS: '300' }
  const child = spawn(process.execPath, ['tools/run-tests.ts', ...args, ...files], { cwd: projectRoot, env })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { child, ended, folder }
}

test('what passes is counted, and what fails is printed with its reason and ends the run red', async (t) => {
  const { ended } = await aRun(t, [
    `test('one', () => {})\ntest('two', () => {})`,
    `test('three', () => { throw new Error('a reason') })`,
  ])
  const { code, output } = await ended

  assert.equal(code, 1)
  assert.match(output, /✖ three\n +Error: a reason/)
  assert.match(output, /ℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 1\n/)
})

test('a run without failures ends green', async (t) => {
  const { ended } = await aRun(t, [`test('one', () => {})`])
  const { code, output } = await ended
  assert.equal(code, 0, output)
})

/** Passes at this try of the tests of a run. */
const passesFrom = (tries: number) => `
import { appendFileSync, readFileSync } from 'node:fs'
test('passes in time', () => {
  const tries = process.env.TMPDIR + '/../../tries'
  appendFileSync(tries, '.')
  if (readFileSync(tries).length < ${tries}) throw new Error('too late')
})`

test('with --try-alone, a file that fails runs once more, and its first failure is printed', async (t) => {
  const { ended } = await aRun(t, [passesFrom(2)], ['--try-alone'])
  const { code, output } = await ended

  assert.equal(code, 0, output)
  assert.match(output, /failed beside others, and passed alone:\n.+\n +✖ passes in time\n +Error: too late/)
  assert.match(output, /^ℹ files 1, 1 passed only alone, cpu/m)
  assert.match(output, /^ℹ fail 0$/m)
})

test('a file that fails alone too, and one without --try-alone, end the run red', async (t) => {
  const twice = await (await aRun(t, [passesFrom(3)], ['--try-alone'])).ended
  const once = await (await aRun(t, [passesFrom(2)])).ended

  assert.deepEqual([twice.code, once.code], [1, 1])
  assert.match(twice.output, /failing tests:\n.+\n +✖ passes in time/)
  assert.match(twice.output, /^ℹ fail 1$/m)
})

test('more than eight files that fail are not tried again', async (t) => {
  const texts = Array.from({ length: 9 }, () => passesFrom(10))
  const { code, output } = await (await aRun(t, texts, ['--try-alone'])).ended

  assert.equal(code, 1)
  assert.match(output, /^ℹ fail 9$/m)
})

test('a test that hangs is ended at the limit of its file, with its name and what it waits for', async (t) => {
  const hanging = `test('waits for a caller', () => new Promise(() => createServer().listen(0)))`
  const { ended } = await aRun(t, [hanging], ['--limit-seconds=1'])
  const { code, output } = await ended

  assert.equal(code, 1)
  assert.match(output, /did not end within 1 s/)
  assert.match(output, /the test "waits for a caller" has not ended/)
  assert.match(output, /server on \{/)
})

test('a handle that stays open after the last test is named, and ends the run red', async (t) => {
  const { ended } = await aRun(t, [`test('passes', () => void spawn('sleep', ['600']))`])
  const { code, output } = await ended

  assert.equal(code, 1)
  assert.match(output, /was still running 0.3 s after its last test/)
  assert.match(output, /child process \d+: sleep 600/)
})

test('a file that blocks its event loop is ended too', async (t) => {
  const { ended } = await aRun(t, [`test('computes', () => { for (;;); })`], ['--limit-seconds=1'])
  const { code, output } = await ended

  assert.equal(code, 1)
  assert.match(output, /event loop was blocked at the limit of 1 s/)
})

test('a file that leaves a process behind fails, and the process is ended', async (t) => {
  const leaving = `test('passes', () => spawn('sleep', ['617'], { detached: true, stdio: 'ignore' }).unref())`
  const { ended, folder } = await aRun(t, [leaving])
  const { code, output } = await ended

  assert.equal(code, 1)
  assert.match(output, /the file leaves no process behind\n +\d+ sleep 617/)
  assert.deepEqual(findProcessesOf(folder), [])
})

test('a file that ends before its tests have is red', async (t) => {
  const { ended } = await aRun(t, [`test('never ends', async () => { process.exit(0) })`])
  const { code, output } = await ended

  assert.equal(code, 1)
  assert.match(output, /ended before its tests had/)
})

test('a file without a test is red, and so is a pattern that matches no test of any file', async (t) => {
  const texts = [`test('one', () => {})`, `test('two', () => {})`]
  const empty = await (
    await aRun(t, [texts[0]!, `import { suite } from 'node:test'\nsuite('none', () => {})`])
  ).ended
  const unmatched = await (await aRun(t, texts, ['--test-name-pattern=three'])).ended
  const matched = await (await aRun(t, texts, ['--test-name-pattern=two'])).ended

  assert.deepEqual([empty.code, unmatched.code, matched.code], [1, 1, 0])
  assert.match(empty.output, /✖ no test ran in .+1\.test\.ts\n$/)
  assert.match(unmatched.output, /(?:✖ no test ran in .+\.test\.ts\n){2}$/)
  assert.match(matched.output, /ℹ tests 1\n/)
})

test('a run that finds no file is red', async () => {
  const child = spawn(process.execPath, ['tools/run-tests.ts', 'none/*.test.ts'], {
    cwd: projectRoot,
    stdio: 'ignore',
  })
  const [code] = (await once(child, 'close')) as [number]
  assert.equal(code, 1)
})

/** Started by a test of the run, in a session of its own and without the variables of the run. */
const SERVER = `
test('uses a server', () => new Promise(() => {
  const server = spawn('sh', ['-c', 'sleep 613 & sleep 613'], { detached: true, env: {}, stdio: 'ignore' })
  spawn('touch', [process.env.TMPDIR + '/../../started'])
}))`

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
  test(`a run that is ended by ${signal} leaves no process and no folder behind`, async (t) => {
    const { child, ended, folder } = await aRun(t, [SERVER])
    await until(async () => (await readFile(join(folder, 'started')).catch(() => undefined)) !== undefined)
    assert.ok(findProcessesOf(folder).length >= 4, 'a runner, a test file, a shell and a sleep')

    child.kill(signal)
    await ended

    await until(() => Promise.resolve(findProcessesOf(folder).length === 0))
    await until(async () => !(await foldersIn(folder)).some((name) => name.startsWith('ct-')))
  })
}

test('a run whose parent is killed ends by itself', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'runner-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, '0.test.ts'), IMPORTS + SERVER)
  const script = `"${process.execPath}" tools/run-tests.ts "${folder}/0.test.ts"; true`
  const env = { ...process.env, TMPDIR: folder }
  const shell: ChildProcess = spawn('sh', ['-c', script], { cwd: projectRoot, env, stdio: 'ignore' })
  await until(async () => (await readFile(join(folder, 'started')).catch(() => undefined)) !== undefined)

  shell.kill('SIGKILL')

  await until(() => Promise.resolve(findProcessesOf(folder).length === 0))
})

test('the longest files are first, and of each kind all are found', () => {
  const all = selectFiles(projectRoot, [], undefined)
  const parts = (['unit', 'db', 'e2e'] as const).map((kind) => selectFiles(projectRoot, [], kind))

  assert.equal(
    all.length,
    parts.reduce((sum, part) => sum + part.length, 0),
  )
  assert.ok(parts.every((part) => part.length > 30))
  assert.ok(all.indexOf('e2e/on-air/on-air.test.ts') < all.indexOf('tools/test-runner/test-runner.test.ts'))
})

test('a name that matches no test file is an error, also beside one that does', () => {
  const named = ['tools/test-runner/test-runner.test.ts', 'tools/test-runnr', 'bench/*.tests.ts']

  assert.deepEqual(selectFiles(projectRoot, named.slice(0, 1), undefined), named.slice(0, 1))
  assert.throws(
    () => selectFiles(projectRoot, named, undefined),
    /no test file was found for tools\/test-runnr, bench\/\*\.tests\.ts/,
  )
})

test('a folder does not answer for the processes of another whose name begins the same', async (t) => {
  const folder = join(tmpdir(), `runner-${process.pid}`)
  const child = spawn('sleep', ['60'], { env: { ...process.env, TMPDIR: `${folder}2` } })
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'spawn')

  assert.deepEqual(findProcessesOf(folder), [])
  assert.deepEqual(
    findProcessesOf(`${folder}2`).map(({ pid }) => pid),
    [child.pid],
  )
})

const foldersIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (await isSo()) return
    await sleep(50)
  }
  assert.fail('did not happen within two minutes')
}
