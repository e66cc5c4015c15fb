import { readFileSync, writeFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { loadAgain, loadTests, type Tests } from './load-tests.ts'

/**
 * Runs tests of core in the process that loaded them, for Stryker. A mutant is a branch in the loaded code that is
 * switched on by its id. For one that acts while modules are loaded, its file and what imports it are loaded again.
 */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: createTestRunner }]

interface MutantRun {
  readonly activeMutant: { readonly id: string }
  /** The file with the mutant. */
  readonly sandboxFileName: string
  /** The ids of the tests that reach the mutant; undefined if it acts while modules are loaded. */
  readonly testFilter?: readonly string[]
  /** A mutant that is reached more often is in an endless loop. */
  readonly hitLimit?: number
}

const TIMES_FILE = 'test-times.json'

/** What the mutated code reads and writes, and the test that is being run. */
const shared: Record<string, unknown> & { run?: () => unknown; hitCount?: number; hitLimit?: number } = {}
Object.assign(globalThis, { __stryker__: shared })
const runShared = new Script('__stryker__.run()')

function createTestRunner() {
  let tests: Tests = new Map()
  return {
    capabilities: () => ({ reloadEnvironment: true }),
    init: async () => {
      tests = await loadTests()
    },
    dryRun: () => runAll(tests),
    mutantRun: (mutant: MutantRun) =>
      runMutant(tests, mutant).finally(() => (shared['activeMutant'] = undefined)),
  }
}

function runAll(tests: Tests) {
  const results = [...tests].map(([id, run]) => {
    shared['currentTestId'] = id
    const startMs = cpuMs()
    const failureMessage = failureOf(run, 60_000)?.message
    const status = failureMessage === undefined ? 0 : 1
    return { id, name: id, timeSpentMs: cpuMs() - startMs, status, failureMessage }
  })
  shared['currentTestId'] = undefined
  writeFileSync(TIMES_FILE, JSON.stringify(results.map(({ id, timeSpentMs }) => [id, timeSpentMs])))
  return { status: 'complete', tests: results, mutantCoverage: shared['mutantCoverage'] }
}

async function runMutant(loaded: Tests, mutant: MutantRun) {
  const { activeMutant, sandboxFileName, testFilter, hitLimit } = mutant
  Object.assign(shared, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
  let tests = loaded
  try {
    if (testFilter === undefined) tests = await loadAgain(sandboxFileName, `?mutant=${activeMutant.id}`)
  } catch (error) {
    return resultOf(describe(error))
  }
  const timesMs = readTimes()
  const usualMs = (test: string) => timesMs.get(test) ?? 0
  const chosen = [...(testFilter ?? tests.keys())].filter((test) => usualMs(test) < Infinity)
  for (const test of chosen.toSorted((a, b) => usualMs(a) - usualMs(b))) {
    const attempt = (id: string | undefined) => {
      shared['activeMutant'] = id
      return failureOf(tests.get(test)!, 1_000 + 10 * usualMs(test))
    }
    const failure = attempt(activeMutant.id)
    if (failure === undefined) continue
    // What an earlier mutant left in a cache must not count as noticed: Stryker starts a new process after an error.
    if (tests === loaded && attempt(undefined)) throw new Error(`${test} fails without a mutant`)
    if (tests !== loaded || failure.isEndless || attempt(activeMutant.id)) return resultOf(failure, test)
  }
  return { status: 'survived', nrOfTests: chosen.length }
}

/** How long each test takes without a mutant. The few that take most of all time are about size, and left out. */
function readTimes(): Map<string, number> {
  const times = JSON.parse(readFileSync(TIMES_FILE, 'utf8')) as [string, number][]
  const allMs = times.reduce((sum, [, timeMs]) => sum + timeMs, 0)
  return new Map(times.map(([test, timeMs]) => [test, timeMs > allMs / 10 ? Infinity : timeMs]))
}

/** Runs a test until it has used so much time of the processor: on a busy machine that takes longer. */
function failureOf(run: () => unknown, limitMs: number): Failure | undefined {
  shared.run = run
  for (let timeout = Math.ceil(limitMs); ; timeout *= 2) {
    const startMs = cpuMs()
    try {
      if (runShared.runInThisContext({ timeout }) instanceof Promise) throw new Error('tests are synchronous')
      return undefined
    } catch (error) {
      if (!isTimeout(error) || cpuMs() - startMs >= limitMs) return describe(error)
    }
  }
}

type Failure = ReturnType<typeof describe>

const describe = (error: unknown) => ({
  message: error instanceof Error ? error.message : String(error),
  isEndless: isTimeout(error) || shared.hitCount! > shared.hitLimit!,
})

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

const resultOf = ({ message, isEndless }: Failure, ...killedBy: readonly string[]) =>
  isEndless
    ? { status: 'timeout', reason: message }
    : { status: 'killed', killedBy, failureMessage: message, nrOfTests: 1 }

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
