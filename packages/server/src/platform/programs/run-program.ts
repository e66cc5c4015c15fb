import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { pipeline, type Readable, type Writable } from 'node:stream'
import type { Logger } from '../logger.ts'
import { watchFolder } from './folder-size.ts'
import { ProgramFailed, type ProgramFault } from './program-failed.ts'
import { findHarness, type Harness } from './program-harness.ts'
import type { ProgramOrder, ProgramResult, RunProgram } from './program-order.ts'
import { createLineReader, createTail } from './program-output.ts'

/** A megabyte: what any program tells us in one piece. */
const STDOUT_BYTES = 1_048_576

/** The longest that a timer can be set to; one set to more would ring at once. */
const TIMER_MAXIMUM_MS = 2 ** 31 - 1

/**
 * Runs programs that work on files of strangers: with less priority than
 * anything else, without network, within limits, with an environment of two
 * words. Whatever happens, no process of theirs is left; they die with this
 * process too, even if it is killed.
 */
export function createProgramRunner(options: { readonly path: string; readonly logger: Logger }): RunProgram {
  let found: Promise<Harness> | undefined // written at the first order only
  return async (order) => {
    found ??= findHarness(options.path, options.logger)
    const harness = await found
    order.signal.throwIfAborted()
    return run(order, harness, options.path)
  }
}

async function run(order: ProgramOrder, harness: Harness, path: string): Promise<ProgramResult> {
  const [first = order.program, ...rest] = harness.enclose({ nice: 10, ...order })
  const { stdin, pipes = [] } = order
  const child = spawn(first, rest, {
    cwd: order.cwd ?? '/',
    detached: true,
    env: { PATH: path, LANG: 'C.UTF-8' },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...pipes.map(() => 'pipe' as const)],
  }) as Child
  feed(child.stdin, stdin)
  for (const [at, pipe] of pipes.entries()) feed(child.stdio[3 + at] as Writable, pipe)
  using opened = new DisposableStack()
  const held = opened.use(hold(child))
  const output = collect(child, order, (fault) => held.end(fault))
  opened.use(keepLimits(order, (fault) => held.end(fault)))
  const exit = await held.closed
  const stderrTail = output.stderrTail()
  const fault = held.fault() ?? (exit === 0 ? undefined : faultOf(exit, stderrTail))
  if (fault !== undefined) throw new ProgramFailed(order.program, fault, { exit, stderrTail })
  return { stdout: output.stdout(), stderrTail }
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>

/** A program that ends does not read on, which is no fault; its exit code shows what was. */
function feed(pipe: Writable | null, from: Readable | undefined): void {
  if (from === undefined || pipe === null) return
  // A further pipe goes both ways: that it was left unread is an error of its other direction, after the pipeline's end.
  pipe.on('error', () => {})
  pipeline(from, pipe, () => {})
}

interface Held extends Disposable {
  readonly closed: Promise<number | NodeJS.Signals>
  fault(): ProgramFault | undefined
  end(fault: ProgramFault): void
}

/** The program leads a group of its own, which ends as a whole. */
function hold(child: Child): Held {
  let fault: ProgramFault | undefined // the first reason for which it was ended
  let isGone = false // written when the group has been ended
  const endGroup = () => {
    if (isGone || child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Nobody is left in it.
    }
  }
  const closed = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject)
    // What it started may still hold its output open, and would never be waited for.
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

function collect(child: Child, order: ProgramOrder, end: (fault: ProgramFault) => void) {
  const most = order.limits.stdoutBytes ?? STDOUT_BYTES
  const kept: Buffer[] = []
  let bytes = 0
  const reader = order.onLine === undefined ? undefined : createLineReader(order.onLine)
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

/** Everything that ends a program before it ends itself. */
function keepLimits({ limits, signal }: ProgramOrder, end: (fault: ProgramFault) => void): Disposable {
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

/** Why it ended by itself, as far as the kernel or its last words tell. */
function faultOf(exit: number | NodeJS.Signals, stderrTail: string): ProgramFault {
  if (exit === 'SIGXCPU') return 'timeout'
  if (exit === 'SIGXFSZ' || /File too large/.test(stderrTail)) return 'output'
  if (/Cannot allocate memory|[Mm]alloc.* failed|out of memory|memory exhausted/.test(stderrTail))
    return 'memory'
  return 'failed'
}
