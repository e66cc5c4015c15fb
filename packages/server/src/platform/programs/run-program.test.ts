import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ProgramFailed } from './program-failed.ts'
import type { ProgramLimits, ProgramOptions } from './program-options.ts'
import { createProgramRunner } from './run-program.ts'

const path = process.env['PATH'] ?? ''
const warnings: string[] = []
const logger = {
  debug() {},
  info() {},
  error() {},
  warn: (...args: unknown[]) => void warnings.push(JSON.stringify(args)),
}
const runProgram = createProgramRunner({ path, logger })

const limits: ProgramLimits = { timeMs: 20_000, cpuMs: 20_000, memoryBytes: 2 ** 31 }
const shell = (script: string, more: Partial<ProgramOptions> = {}): ProgramOptions => ({
  program: 'sh',
  args: ['-c', script],
  limits,
  signal: new AbortController().signal,
  ...more,
})

async function faultOf(options: ProgramOptions): Promise<ProgramFailed> {
  const error = await runProgram(options).then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ProgramFailed, String(error))
  return error
}

test('a program reads its standard input, which is empty by default', async () => {
  const given = await runProgram(shell('cat', { stdin: Readable.from(['one ', 'two']) }))
  const unread = await runProgram(shell('true', { stdin: Readable.from([Buffer.alloc(10_000_000)]) }))
  const nothing = await runProgram(shell('cat'))

  assert.deepEqual([given.stdout, unread.stdout, nothing.stdout], ['one two', '', ''])
})

test('a program reads further pipes, each to its own end, and may leave them unread', async () => {
  const pipes = () => [Readable.from(['three']), Readable.from([Buffer.alloc(10_000_000)])]
  const read = await runProgram(shell('cat <&3; echo; wc -c <&4', { pipes: pipes() }))
  const unread = await runProgram(shell('true', { pipes: pipes(), stdin: Readable.from(['one']) }))

  assert.deepEqual([read.stdout, unread.stdout], ['three\n10000000\n', ''])
})

test('a program runs with two environment variables and low priority, and its output is returned', async () => {
  const result = await runProgram(shell('env; nice; echo error >&2'))

  const lines = result.stdout.split('\n')
  const own = lines.filter((line) => line.includes('=') && !/^(PWD|_|SHLVL|OLDPWD)=/.test(line))
  assert.deepEqual(new Set(own.map((line) => line.split('=')[0])), new Set(['LANG', 'PATH']))
  assert.ok(lines.includes('10'))
  assert.equal(result.stderrTail, 'error\n')
})

test('a program that fails reports its exit code and the end of its standard error', async () => {
  const failed = await faultOf(shell('seq 1 200000 >&2; echo last >&2; exit 3'))

  assert.equal(failed.code, 'failed')
  assert.equal(failed.exit, 3)
  assert.match(failed.stderrTail, /\nlast\n$/)
  assert.ok(failed.stderrTail.length <= 16_384)
})

test('lines are passed to onLine as they arrive, and are then not collected', async () => {
  const lines: string[] = []
  const { stdout } = await runProgram(
    shell('echo a; echo b; printf c', { onLine: (line) => lines.push(line) }),
  )

  assert.deepEqual(lines, ['a', 'b'])
  assert.equal(stdout, '')
})

test('a program that exceeds its time, processor time or output limit is stopped', async () => {
  const late = await faultOf(shell('sleep 60', { limits: { ...limits, timeMs: 100 } }))
  const busy = await faultOf(shell('while :; do :; done', { limits: { ...limits, cpuMs: 1_000 } }))
  const loud = await faultOf(shell('yes', { limits: { ...limits, stdoutBytes: 1_000 } }))

  assert.deepEqual([late.code, busy.code, loud.code], ['timeout', 'timeout', 'output'])
})

test('a program that exceeds its memory limit is stopped', async () => {
  const options = { program: 'dd', args: ['if=/dev/zero', 'of=/dev/null', 'bs=8G', 'count=1'] }

  assert.equal((await faultOf({ ...shell(''), ...options })).code, 'memory')
})

test('a program that exceeds the size limit of a file or folder is stopped', async (t) => {
  const folder = await aFolder(t)
  const fill = `while :; do head -c 100000 /dev/zero > ${folder}/$((i=i+1)); done`
  const file = await faultOf(
    shell(`exec head -c 9000000 /dev/zero > ${folder}/a`, { limits: { ...limits, fileBytes: 1_000_000 } }),
  )
  const many = await faultOf(
    shell(fill, { limits: { ...limits, folder: { path: folder, bytes: 20_000_000 } } }),
  )

  assert.deepEqual([file.code, many.code], ['output', 'output'])
})

test('a program that is stopped ends with all processes it started', async (t) => {
  const folder = await aFolder(t)
  const stop = new AbortController()
  const pids: number[] = []
  const options = shell('sleep 300 & echo $!; echo $$; wait', {
    signal: stop.signal,
    onLine: (line) => pids.push(Number(line)) === 2 && stop.abort(),
    cwd: folder,
  })

  assert.equal((await faultOf(options)).code, 'aborted')
  for (const pid of pids) await gone(pid)
  await assert.rejects(runProgram(options), { name: 'AbortError' })
})

test('processes that a program leaves behind are ended with it', async () => {
  const { stdout } = await runProgram(shell('sleep 300 & echo $!'))

  await gone(Number(stdout))
})

test('a program cannot reach the network, where the machine supports namespaces', async (t) => {
  const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')

  const reach = `exec 3<>/dev/tcp/127.0.0.1/${address.port} && cat <&3`
  const reached = await runProgram({ ...shell(''), program: 'bash', args: ['-c', reach] }).then(
    ({ stdout }) => stdout,
    () => 'not reached',
  )

  assert.equal(reached, warnings.some((line) => line.includes('unshare')) ? 'reached' : 'not reached')
})

test('a program dies with the process that runs it, even if that is killed', async (t) => {
  const folder = await aFolder(t)
  const script = join(import.meta.dirname, 'testing', 'run-forever.ts')
  const child = spawn(process.execPath, [script, folder], { stdio: 'ignore', env: { PATH: path } })
  t.after(() => child.kill('SIGKILL'))
  const pid = await pidWritten(join(folder, 'pid'), child)

  child.kill('SIGKILL')
  await once(child, 'exit')

  await gone(pid)
})

test('a machine without any part of the harness logs that once, and runs programs all the same', async () => {
  const messages: string[] = []
  const bare = createProgramRunner({
    path: '/nowhere',
    logger: { ...logger, warn: (...args: unknown[]) => void messages.push(JSON.stringify(args)) },
  })

  for (const _ of [1, 2]) await bare({ ...shell(''), program: '/bin/sh', args: ['-c', 'exit 0'] })

  assert.equal(messages.length, 1)
  assert.match(messages[0]!, /unshare.*prlimit.*nice.*setpriv/)
})

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-program-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Waits until the process has ended; the test's time limit bounds it. */
async function gone(pid: number): Promise<void> {
  assert.ok(pid > 1)
  while (isAlive(pid)) await setImmediate()
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function pidWritten(file: string, child: ChildProcess): Promise<number> {
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    assert.equal(child.exitCode, null)
    await setImmediate()
  }
  return Number(readFileSync(file, 'utf8'))
}
