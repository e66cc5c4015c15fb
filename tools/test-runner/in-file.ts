import { readFileSync, writeSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/**
 * Runs inside of every test process: loaded before the test file, and its reporter.
 *
 * Reports results as lines of JSON, and ends the process when it exceeds its limit or stays alive after its tests,
 * stating what keeps it alive. Node's `--test-timeout` does neither.
 */
export interface FileReport {
  readonly passed?: string
  readonly failed?: string
  readonly error?: string
  readonly started?: string
  readonly counts?: Readonly<Record<string, number>>
  readonly milliseconds?: number
  /** Processor time of the process and of those that it started and saw end. */
  readonly cpuSeconds?: number
  readonly keptAliveBy?: readonly string[]
}

const LIMIT_MS = Number(process.env['TEST_FILE_LIMIT_MS'] ?? 600_000)
/** Between the last test and the end of the process. */
const ENDING_MS = Number(process.env['TEST_FILE_ENDING_MS'] ?? 60_000)

const running = new Set<string>()

setTimeout(() => giveUp(`did not end within ${LIMIT_MS / 1_000} s`), LIMIT_MS).unref()
process.on('exit', () => report({ cpuSeconds: readCpuSeconds() }))

// oxlint-disable-next-line import/no-default-export -- Node takes the default export of a reporter's module.
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const line = read(event)
    if (line !== undefined) report(line)
  }
  // Lines go to the report, where what a test prints does not come between.
  yield ''
}

/** Started when no test is running any more. Node only considers a file finished once nothing keeps it alive. */
let ending: NodeJS.Timeout | undefined

function read(event: TestEvent): FileReport | undefined {
  switch (event.type) {
    case 'test:dequeue':
      begin(event.data.name)
      return { started: event.data.name }
    case 'test:complete':
      end(event.data.name)
      return undefined
    case 'test:pass':
      return { passed: event.data.name, milliseconds: event.data.details.duration_ms }
    case 'test:fail': {
      const { error, duration_ms: milliseconds } = event.data.details
      return { failed: event.data.name, milliseconds, error: inspect(error.cause ?? error, { depth: 6 }) }
    }
    case 'test:summary':
      return { counts: event.data.counts, milliseconds: event.data.duration_ms }
    default:
      return undefined
  }
}

function begin(test: string): void {
  clearTimeout(ending)
  running.add(test)
}

function end(test: string): void {
  running.delete(test)
  if (running.size > 0) return
  const reason = `was still running ${ENDING_MS / 1_000} s after its last test`
  ending = setTimeout(() => giveUp(reason), ENDING_MS).unref()
}

function giveUp(reason: string): void {
  const tests = [...running].map((name) => `the test "${name}" has not ended`)
  report({
    failed: 'the file ends',
    error: `The file ${reason}.`,
    keptAliveBy: [...tests, ...describeHandles()],
  })
  process.exit(1)
}

/** What the event loop waits for. `_getActiveHandles` is undocumented and the only way to learn more than types. */
function describeHandles(): string[] {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles?: () => unknown[] }
  const standard = new Set<unknown>([process.stdin, process.stdout, process.stderr])
  const described = (handles?.() ?? []).filter((handle) => !standard.has(handle)).map(describe)
  return [...described, ...process.getActiveResourcesInfo().filter((type) => type === 'Timeout')]
}

function describe(handle: unknown): string {
  const it = handle as Partial<Record<string, unknown>> & { constructor: { name: string } }
  const { name } = it.constructor
  if (name === 'ChildProcess')
    return `child process ${String(it['pid'])}: ${(it['spawnargs'] as string[]).join(' ')}`
  if (name === 'Server') return `server on ${inspect((it['address'] as () => unknown).call(handle))}`
  if (name === 'Socket' || name === 'TLSSocket') {
    return `socket from ${String(it['localAddress'])}:${String(it['localPort'])} to ${String(it['remoteAddress'])}:${String(it['remotePort'])}`
  }
  return name
}

/** Directly to the file of the report: at the end of a process no stream is flushed any more. */
function report(line: FileReport): void {
  try {
    writeSync(3, `${JSON.stringify(line)}\n`)
  } catch {
    // Run by hand, without a runner.
  }
}

function readCpuSeconds(): number {
  // proc(5): utime, stime, cutime and cstime are fields 14 to 17, in hundredths of a second.
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100
}
