import { spawn } from 'node:child_process'

export interface TestFileRun {
  readonly outcome: 'passed' | 'failed' | 'timed out'
  readonly seconds: number
  /** The name of the first test that failed, or what the process printed last where none did. */
  readonly failure?: string
  /** It failed on an undeclared name: the code was changed without compiling it. */
  readonly isUndeclared?: boolean
}

/** Runs one test file by Node's own runner, in any copy of the project. */
export async function runTestFile(
  folder: string,
  file: string,
  { limitMs, env }: { readonly limitMs: number; readonly env: NodeJS.ProcessEnv },
): Promise<TestFileRun> {
  const startMs = performance.now()
  // A group of its own: what the tests have started ends with them when they run out of time.
  const child = spawn(process.execPath, ['--test-reporter=tap', file], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const endWithUs = () => endGroup(child.pid, 'SIGKILL')
  process.once('exit', endWithUs)
  let isOut = false
  const timers = [
    setTimeout(() => {
      isOut = true
      endGroup(child.pid, 'SIGTERM')
    }, limitMs),
    setTimeout(() => endGroup(child.pid, 'SIGKILL'), limitMs + 5_000),
  ]
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  for (const timer of timers) clearTimeout(timer)
  process.off('exit', endWithUs)
  const seconds = (performance.now() - startMs) / 1_000
  if (isOut) return { outcome: 'timed out', seconds }
  if (code === 0) return { outcome: 'passed', seconds }
  const isUndeclared = /ReferenceError: \w+ is not defined/.test(output)
  return { outcome: 'failed', seconds, failure: failureIn(output), isUndeclared }
}

const FAILED = /^ *not ok \d+ - (?!.*# (?:SKIP|TODO))(.+)$/m

export function failureIn(output: string): string {
  return FAILED.exec(output)?.[1] ?? output.trimEnd().split('\n').slice(-3).join(' / ')
}

function endGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
