import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileCache } from '@continuity/dev/compile-cache'
import { MADE_SERVERS } from '@continuity/dev/node-process'
import { MADE_CLUSTER } from '@continuity/dev/postgres-cluster'
import { projectRoot } from '@continuity/dev/project-root'
import { makeTestCluster, startTestPostgres } from '@continuity/dev/test-postgres'
import { ensureServerBundle } from './build/server-bundle.ts'
import { printFile, printSummary } from './test-runner/print.ts'
import { killProcessesOf } from './test-runner/processes.ts'
import { type FileResult, runFile } from './test-runner/run-file.ts'
import { runWhileRoom } from './test-runner/run-while-room.ts'
import { kindOf, kinds, selectFiles, timesPath } from './test-runner/select-files.ts'
import { startReaper } from './test-runner/start-reaper.ts'
import { tryAlone } from './test-runner/try-alone.ts'

/**
 * `npm test` runs everything; `npm test -- PATH…` runs the named files. Each file has a process and a folder of its own;
 * what it leaves running is a failure. Files named `.db.test.ts` share one PostgreSQL, in which each has its own database.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: 'string' },
    'test-name-pattern': { type: 'string', multiple: true, default: [] },
    /** Files at once; without it, as many as keep the processors busy. */
    concurrency: { type: 'string' },
    'limit-seconds': { type: 'string', default: '900' },
    'write-times': { type: 'boolean' },
    /** Runs files that failed beside others once more, each alone. */
    'try-alone': { type: 'boolean' },
  },
})
const kind = kinds.find((name) => name === values.kind)
if (values.kind !== undefined && kind === undefined) throw new Error(`--kind is one of ${kinds.join(', ')}`)
const files = selectFiles(projectRoot, positionals, kind)
if (files.length === 0) throw new Error('no test file was found')

const startMs = performance.now()
const { folder, process: reaper } = await startReaper()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void giveUp(signal))
// npm and shells do not pass every signal on: without a parent, this run is abandoned.
const parent = process.ppid
setInterval(() => process.ppid !== parent && void giveUp('SIGTERM'), 500).unref()

let isGivenUp = false

process.exitCode = await runAll()
reaper.stdin.end()
await once(reaper, 'exit')

async function runAll(): Promise<number> {
  if (files.some((file) => kindOf(file) !== 'unit')) {
    process.env[MADE_CLUSTER] ??= await makeTestCluster(join(folder, 'cluster'))
  }
  if (files.some((file) => kindOf(file) === 'e2e')) {
    process.env[MADE_SERVERS] ??= await ensureServerBundle(projectRoot)
  }
  await using postgres = files.some((file) => kindOf(file) === 'db')
    ? await inFolder(startTestPostgres)
    : undefined
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    ...compileCache(projectRoot),
  }
  if (postgres !== undefined) {
    Object.assign(env, { TEST_TEMPLATE_URL: postgres.templateUrl, TEST_SERVICE_URL: postgres.serviceUrl })
  }
  const results: FileResult[] = []
  const runOne = async (file: string, name: string): Promise<FileResult> => {
    const nodeArgs = values['test-name-pattern'].map((pattern) => `--test-name-pattern=${pattern}`)
    const limitMs = Number(values['limit-seconds']) * 1_000
    const result = await runFile({
      root: projectRoot,
      file,
      folder: join(folder, name),
      env,
      nodeArgs,
      limitMs,
    })
    console.log(printFile(result, { withTests: files.length <= 5 }))
    return result
  }
  const waiting = files.entries()
  await runWhileRoom({
    exactly: values.concurrency === undefined ? undefined : Number(values.concurrency),
    async runNext() {
      const { value, done } = waiting.next()
      if (isGivenUp || done === true) return false
      const [at, file] = value
      results.push(await runOne(file, `${at}`))
      return true
    },
  })
  const settled = values['try-alone'] === true ? await tryAlone(results, runOne) : results
  console.log(printSummary(settled, (performance.now() - startMs) / 1_000))
  const untested = findUntested(settled)
  for (const { file } of untested) console.log(`✖ no test ran in ${file}`)
  if (values['write-times'] === true) writeTimes(settled)
  return untested.length === 0 && settled.every(({ failures }) => failures.length === 0) ? 0 : 1
}

/** Files that pass because they have no test, or with a pattern all files if it matches none of their tests. */
function findUntested(results: readonly FileResult[]): readonly FileResult[] {
  const untested = results.filter(({ counts, failures }) => failures.length === 0 && counts['tests'] === 0)
  const isPart = values['test-name-pattern'].length > 0
  return isPart && untested.length < results.length ? [] : untested
}

/** The shared server's files lie in the folder of the run, by which its processes are found. */
async function inFolder<T>(start: () => Promise<T>): Promise<T> {
  process.env['TMPDIR'] = folder
  return await start()
}

function writeTimes(results: readonly FileResult[]): void {
  const long = results.filter(({ seconds }) => seconds >= 3).toSorted((a, b) => b.seconds - a.seconds)
  const times = Object.fromEntries(long.map(({ file, seconds }) => [file, Math.round(seconds)]))
  writeFileSync(timesPath(projectRoot), `${JSON.stringify(times, null, 2)}\n`)
}

/** The reaper does the rest: only when this process has ended, nothing begins any more. */
async function giveUp(signal: NodeJS.Signals): Promise<void> {
  isGivenUp = true
  await killProcessesOf(folder, reaper.pid)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
