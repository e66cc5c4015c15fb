import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable, type Writable } from 'node:stream'
import type { Logger } from '../log/logger.ts'
import { ProgramFailed, type ProgramFault } from './program-failed.ts'
import { findHarness, type Harness } from './program-harness.ts'
import type { ProgramOptions, ProgramResult, RunProgram } from './program-options.ts'

/** A megabyte: more than the output of any program that is collected. */
const STDOUT_BYTES = 1_048_576

/** The longest timeout of a Node timer; a longer one fires at once. */
const TIMER_MAXIMUM_MS = 2 ** 31 - 1

/**
 * Runs programs on untrusted files: with low priority, without network, within limits, with an environment of two
 * variables. No process of theirs is left behind; they end with this process too, even if it is killed.
 */
export function createProgramRunner(runner: { readonly path: string; readonly logger: Logger }): RunProgram {
  let found: Promise<Harness> | undefined // set at the first call only
  return async (options) => {
    found ??= findHarness(runner.path, runner.logger)
    const harness = await found
    options.signal.throwIfAborted()
    return run(options, harness, runner.path)
  }
}

async function run(options: ProgramOptions, harness: Harness, path: string): Promise<ProgramResult> {
  const [first = options.program, ...rest] = harness.enclose({ nice: 10, ...options })
  const { stdin, pipes = [] } = options
  const child = spawn(first, rest, {
    cwd: options.cwd ?? '/',
    detached: true,
    env: { PATH: path, LANG: 'C.UTF-8' },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...pipes.map(() => 'pipe' as const)],
  }) as Child
  feed(child.stdin, stdin)
  for (const [at, pipe] of pipes.entries()) feed(child.stdio[3 + at] as Writable, pipe)
  using opened = new DisposableStack()
  const group = opened.use(groupOf(child))
  const output = collect(child, options, (fault) => group.end(fault))
  opened.use(keepLimits(options, (fault) => group.end(fault)))
  const exit = await group.closed
  const stderrTail = output.stderrTail()
  const fault = group.fault() ?? (exit === 0 ? undefined : faultOf(exit, stderrTail))
  if (fault !== undefined) throw new ProgramFailed(options.program, fault, { exit, stderrTail })
  return { stdout: output.stdout(), stderrTail }
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>

/** A program may end without reading its input to the end, which is no fault; its exit code decides. */
function feed(pipe: Writable | null, from: Readable | undefined): void {
  if (from === undefined || pipe === null) return
  // A further pipe is bidirectional: an unread one errors in its other direction, after the end of the pipeline.
  pipe.on('error', () => {})
  pipeline(from, pipe, () => {})
}

interface ProcessGroup extends Disposable {
  readonly closed: Promise<number | NodeJS.Signals>
  fault(): ProgramFault | undefined
  end(fault: ProgramFault): void
}

/** The program leads a process group of its own, which is killed as a whole. */
function groupOf(child: Child): ProcessGroup {
  let fault: ProgramFault | undefined // the first reason to end it
  let isGone = false // set once the group has been killed
  const endGroup = () => {
    if (isGone || child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group is empty.
    }
  }
  const closed = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject)
    // Processes it started may keep its output open, and `close` would never come.
    child.once('exit', () => {
      endGroup()
      isGone = true
    })
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1))
  })
  return {
    closed,
    fault: () => fault,
    end: (reason) => {
      fault ??= reason
      endGroup()
    },
    [Symbol.dispose]: endGroup,
  }
}

function collect(child: Child, options: ProgramOptions, end: (fault: ProgramFault) => void) {
  const most = options.limits.stdoutBytes ?? STDOUT_BYTES
  const kept: Buffer[] = []
  let bytes = 0
  const reader = options.onLine === undefined ? undefined : createLineReader(options.onLine)
  child.stdout.on('data', (chunk: Buffer) => {
    if (reader !== undefined) return reader(chunk)
    bytes += chunk.length
    if (bytes > most) return end('output')
    kept.push(chunk)
  })
  const tail = createTail()
  child.stderr.on('data', tail.add)
  return { stdout: () => Buffer.concat(kept).toString(), stderrTail: tail.text }
}

/** Everything that stops a program from outside. */
function keepLimits({ limits, signal }: ProgramOptions, end: (fault: ProgramFault) => void): Disposable {
  const timer = setTimeout(() => end('timeout'), Math.min(limits.timeMs, TIMER_MAXIMUM_MS))
  const abort = () => end('aborted')
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  const watch = limits.folder === undefined ? undefined : watchFolder(limits.folder, () => end('output'))
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      watch?.[Symbol.dispose]()
    },
  }
}

/** Why it ended by itself, by its signal or its standard error. */
function faultOf(exit: number | NodeJS.Signals, stderrTail: string): ProgramFault {
  if (exit === 'SIGXCPU') return 'timeout'
  if (exit === 'SIGXFSZ' || /File too large/.test(stderrTail)) return 'output'
  if (/Cannot allocate memory|[Mm]alloc.* failed|out of memory|memory exhausted/.test(stderrTail))
    return 'memory'
  return 'failed'
}

/** How much is kept of standard error: its end, which contains the reason of a failure. */
const TAIL_BYTES = 16_384

/** Longer lines are dropped; lines of a progress report are shorter. */
const LINE_BYTES = 65_536

/** The last bytes of a stream of any length. */
function createTail(): { add(chunk: Buffer): void; text(): string } {
  let kept: Buffer = Buffer.alloc(0)
  return {
    add: (chunk) => {
      kept = Buffer.concat([kept, chunk]).subarray(-TAIL_BYTES)
    },
    text: () => kept.toString(),
  }
}

/** Calls `onLine` for each complete line. A line that is too long is dropped chunk by chunk. */
function createLineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_BYTES) rest = ''
    for (const line of lines) onLine(line)
  }
}

/** Poll interval. A disk that writes 1 GB/s overshoots the limit by 2 GB at most. */
const POLL_EVERY_MS = 2_000

/** Calls `onFull` once when the files of a folder exceed that many bytes. */
function watchFolder(
  { path, bytes }: { readonly path: string; readonly bytes: number },
  onFull: () => void,
): Disposable {
  let isOver = false // written by the dispose below only
  let timer: NodeJS.Timeout | undefined
  const poll = async () => {
    const startMs = performance.now()
    if ((await sizeOfFolder(path)) > bytes) return isOver || onFull()
    // A folder with very many files takes long to read; it must not take up all the time.
    const waitMs = Math.max(POLL_EVERY_MS, 20 * (performance.now() - startMs))
    if (!isOver) timer = setTimeout(poll, waitMs)
  }
  timer = setTimeout(poll, POLL_EVERY_MS)
  return {
    [Symbol.dispose]: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** The bytes of all files in a folder. A file deleted meanwhile counts 0. */
async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}
