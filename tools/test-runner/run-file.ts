import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileReport } from './in-file.ts'
import { killProcessesOf, type RunningProcess } from './processes.ts'
import { removeRunFolder } from './run-folder.ts'

export interface FileOptions {
  readonly root: string
  readonly file: string
  /** For what the file writes, removed afterwards. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly nodeArgs: readonly string[]
  readonly limitMs: number
}

export interface FileResult {
  readonly file: string
  readonly seconds: number
  readonly cpuSeconds: number
  readonly counts: Readonly<Record<string, number>>
  readonly tests: readonly { readonly name: string; readonly milliseconds: number }[]
  readonly failures: readonly Failure[]
  /** Of the first try of a file that passed alone. */
  readonly failuresBesideOthers?: readonly Failure[]
  /** What the file and its tests printed, the end of it where it is long. */
  readonly output: string
}

export interface Failure {
  readonly name: string
  readonly error: string
}

const PRELOAD = join(import.meta.dirname, 'in-file.ts')
const OUTPUT_MAXIMUM = 200_000

/** A process whose event loop is blocked cannot end itself at its limit. */
const BLOCKED_MS = 2_000

/** Runs one test file in a process of its own, and ends whatever the file leaves running. */
export async function runFile(options: FileOptions): Promise<FileResult> {
  const { file, folder, limitMs } = options
  await mkdir(folder, { mode: 0o755 })
  const startMs = performance.now()
  const { output, end } = await runProcess(options)
  const seconds = (performance.now() - startMs) / 1_000
  const leftBehind = await killProcessesOf(folder)
  const lines = await readReport(join(folder, 'report'))
  await removeRunFolder(folder)

  const reported = lines.flatMap((line) => (line.failed === undefined ? [] : [failureOf(line)]))
  const failures = [
    ...reported,
    ...findFailures({ end, lines, leftBehind, limitMs, hasFailed: reported.length > 0 }),
  ]
  const counts = lines.find((line) => line.counts !== undefined)?.counts ?? countWithoutSummary(lines)
  return {
    file,
    seconds,
    cpuSeconds: lines.findLast((line) => line.cpuSeconds !== undefined)?.cpuSeconds ?? 0,
    counts,
    tests: lines.flatMap(({ passed, milliseconds = 0 }) =>
      passed === undefined ? [] : [{ name: passed, milliseconds }],
    ),
    failures,
    output,
  }
}

interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly isBlocked: boolean
}

async function runProcess({ root, file, folder, env, nodeArgs, limitMs }: FileOptions) {
  const report = openSync(join(folder, 'report'), 'a')
  const child = spawn(
    process.execPath,
    [
      `--import=${PRELOAD}`,
      `--test-reporter=${PRELOAD}`,
      '--test-reporter-destination=stdout',
      ...nodeArgs,
      file,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', report],
      env: { ...env, TMPDIR: folder, TEST_FILE_LIMIT_MS: `${limitMs}` },
    },
  )
  closeSync(report)
  let output = ''
  const collect = (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-OUTPUT_MAXIMUM)
  }
  child.stdout!.on('data', collect)
  child.stderr!.on('data', collect)
  let isBlocked = false
  const watchdog = setTimeout(
    () => {
      isBlocked = true
      child.kill('SIGKILL')
    },
    limitMs * 1.1 + BLOCKED_MS,
  )
  // Not `close`: what the file left running may hold its output open.
  const end = await new Promise<ProcessEnd>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal, isBlocked }))
  })
  clearTimeout(watchdog)
  return { output, end }
}

function findFailures(run: {
  readonly end: ProcessEnd
  readonly lines: readonly FileReport[]
  readonly leftBehind: readonly RunningProcess[]
  readonly limitMs: number
  readonly hasFailed: boolean
}): Failure[] {
  const failures: Failure[] = []
  if (run.end.isBlocked) {
    const running = run.lines.findLast((line) => line.started !== undefined)?.started ?? 'the file'
    const error = `The event loop was blocked at the limit of ${run.limitMs / 1_000} s, in or after "${running}".`
    failures.push({ name: 'the file ends', error })
  } else if (run.end.code !== 0 && !run.hasFailed) {
    const how = run.end.signal === null ? `exit code ${run.end.code}` : run.end.signal
    failures.push({ name: 'the file runs', error: `The process ended with ${how}.` })
  }
  if (run.end.code === 0 && !run.lines.some((line) => line.counts !== undefined)) {
    failures.push({ name: 'the file runs', error: 'The process ended before its tests had.' })
  }
  if (run.leftBehind.length > 0) {
    const commands = run.leftBehind.map(({ pid, command }) => `  ${pid} ${command.slice(0, 300)}`)
    failures.push({ name: 'the file leaves no process behind', error: commands.join('\n') })
  }
  return failures
}

function failureOf({ failed, error = '', keptAliveBy }: FileReport): Failure {
  const alive = keptAliveBy === undefined ? '' : `\nIt is kept alive by:\n  ${keptAliveBy.join('\n  ')}`
  return { name: failed!, error: `${error}${alive}` }
}

async function readReport(path: string): Promise<FileReport[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  // The last line of a process that was killed may be incomplete.
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as FileReport)
}

function countWithoutSummary(lines: readonly FileReport[]): Record<string, number> {
  const passed = lines.filter((line) => line.passed !== undefined).length
  const failed = lines.filter((line) => line.failed !== undefined).length
  return { tests: passed + failed, passed, failed }
}
