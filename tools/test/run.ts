import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { inspect, parseArgs } from 'node:util'
import { compileCache } from '@continuity/dev/compile-cache'
import { MADE_SERVERS } from '@continuity/dev/node-process'
import { MADE_CLUSTER } from '@continuity/dev/postgres-cluster'
import { projectRoot } from '@continuity/dev/project-root'
import { makeTestCluster, startTestPostgres } from '@continuity/dev/test-postgres'
import { ensureServerBundle } from '../build/server-bundle.ts'
import { killProcessesOf } from './processes.ts'
import { removeRunFolder } from './reaper.ts'
import { kindOf, kinds, selectFiles } from './select-files.ts'

/**
 * Runs test files with node's own runner, each in a process and a folder of its own. What this adds: one PostgreSQL and
 * one build of the servers for all of them, a limit for each file, and an error where a file leaves a process behind.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
    'test-name-pattern': { type: 'string', multiple: true, default: [] },
    // Many files wait more than they compute.
    concurrency: { type: 'string', default: `${Math.ceil(availableParallelism() * 1.5)}` },
    'limit-seconds': { type: 'string' },
  },
})
for (const name of values.kind ?? [])
  if (!(kinds as readonly string[]).includes(name)) throw new Error(`--kind is one of ${kinds.join(', ')}`)
const files = selectFiles(positionals, values.all ? kinds : (values.kind ?? ['unit', 'db', 'e2e']))
if (files.length === 0) throw new Error('no test file was found')

interface FileResult {
  readonly file: string
  readonly seconds: number
  readonly counts: Readonly<Record<string, number>>
  readonly failures: readonly string[]
}

const startMs = performance.now()
// Short: the paths of sockets inside are limited to 107 bytes. Servers that run as another user pass through it.
const folder = await mkdtemp(join(tmpdir(), 'ct-'))
await chmod(folder, 0o755)
// Ends what is left when this process has ended, also by SIGKILL.
const reaper = spawn(process.execPath, [join(import.meta.dirname, 'reaper.ts'), folder], {
  detached: true,
  stdio: ['pipe', 'ignore', 'ignore'],
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

process.exitCode = await runAll()
reaper.stdin.end()
await once(reaper, 'exit')

async function runAll(): Promise<number> {
  const isAny = (...names: readonly string[]) => files.some((file) => names.includes(kindOf(file)))
  process.env['TMPDIR'] = folder
  const env: NodeJS.ProcessEnv = { ...process.env, ...compileCache(projectRoot) }
  if (isAny('db', 'e2e', 'slow')) env[MADE_CLUSTER] = await makeTestCluster(join(folder, 'cluster'))
  if (isAny('e2e', 'slow')) env[MADE_SERVERS] = await ensureServerBundle(projectRoot)
  await using postgres = isAny('db', 'slow') ? await startTestPostgres() : undefined
  if (postgres !== undefined)
    Object.assign(env, { TEST_TEMPLATE_URL: postgres.templateUrl, TEST_SERVICE_URL: postgres.serviceUrl })

  const waiting = files.entries()
  const results: FileResult[] = []
  const runNext = async () => {
    for (const [at, file] of waiting) {
      const result = await runFile(file, join(folder, `${at}`), env)
      console.log(printFile(result))
      results.push(result)
    }
  }
  await Promise.all(Array.from({ length: Number(values.concurrency) }, runNext))
  console.log(printSummary(results))
  return results.every(({ failures }) => failures.length === 0) ? 0 : 1
}

async function runFile(file: string, ownFolder: string, env: NodeJS.ProcessEnv): Promise<FileResult> {
  await mkdir(ownFolder, { mode: 0o755 })
  const startMs = performance.now()
  const limitSeconds = Number(values['limit-seconds'] ?? (kindOf(file) === 'slow' ? 1_800 : 300))
  const failures: string[] = []
  let counts: Readonly<Record<string, number>> = {}
  let output = ''
  const events = run({
    files: [join(projectRoot, file)],
    cwd: projectRoot,
    env: { ...env, TMPDIR: ownFolder },
    testNamePatterns: values['test-name-pattern'],
    // Node's own timeout does not end a file whose event loop is blocked or kept alive.
    signal: AbortSignal.timeout(limitSeconds * 1_000),
  })
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') output = `${output}${data.message}`.slice(-20_000)
    else if (type === 'test:summary' && data.file === undefined) counts = data.counts
    else if (type === 'test:fail' && !isOnlySum(data.details.error)) {
      const { error } = data.details
      failures.push(`${data.name}\n${inspect(error.cause ?? error, { depth: 6 })}`)
    } else if (type === 'test:pass' && files.length <= 5)
      console.log(`  ✔ ${data.name} (${Math.round(data.details.duration_ms)} ms)`)
  }
  const left = await killProcessesOf(ownFolder)
  if (left.length > 0) {
    const commands = left.map(({ pid, command }) => `  ${pid} ${command.slice(0, 300)}`)
    failures.push(`the file leaves processes behind\n${commands.join('\n')}`)
  }
  if (failures.length === 0 && (counts['tests'] ?? 0) === 0) failures.push('no test ran')
  if ((failures.length > 0 || files.length <= 5) && output.trim() !== '')
    console.log(indent(output.trimEnd()))
  await removeRunFolder(ownFolder)
  return { file, seconds: (performance.now() - startMs) / 1_000, counts, failures }
}

/** A suite or a file that fails because a test in it does, which is reported by itself. */
function isOnlySum(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}

function printFile({ file, seconds, counts, failures }: FileResult): string {
  const head = `${failures.length === 0 ? '✔' : '✖'} ${file}  ${counts['tests'] ?? 0} tests, ${seconds.toFixed(1)} s`
  return [head, ...failures.map((it) => indent(`✖ ${it}`))].join('\n')
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}

/** The longest files, the failures once more, and the counts as node's own runner prints them. */
function printSummary(results: readonly FileResult[]): string {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
  const failed = results.filter(({ failures }) => failures.length > 0)
  const sum = (count: string) => results.reduce((total, { counts }) => total + (counts[count] ?? 0), 0)
  const failures = failed.reduce((total, it) => total + it.failures.length, 0)
  return [
    '\nlongest files:',
    ...slowest.map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`),
    ...(failed.length === 0 ? [] : ['\nfailing tests:', ...failed.map(printFile)]),
    `\nℹ files ${results.length}`,
    `ℹ tests ${sum('tests')}`,
    `ℹ pass ${sum('passed')}`,
    `ℹ fail ${Math.max(sum('failed') + sum('cancelled'), failures)}`,
    `ℹ skipped ${sum('skipped')}`,
    `ℹ duration_ms ${Math.round(performance.now() - startMs)}`,
  ].join('\n')
}
