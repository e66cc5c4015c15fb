import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { compileCache } from '@continuity/dev/compile-cache'
import { startTestPostgres, type TestPostgres } from '@continuity/dev/test-postgres'
import { forEachConcurrent } from '../../packages/server/src/platform/concurrency/for-each-concurrent.ts'
import { copyProject, type SourceChange } from '../source-changes/project-copy.ts'
import { disposeOnSignal } from './dispose-on-signal.ts'
import { runTestFile, type TestFileRun } from './run-test-file.ts'

export interface MutantResult {
  readonly verdict: Verdict
  /** What noticed: the test file and the first test that failed in it. With a mutant that survived, what failed once. */
  readonly noticedBy?: string
  readonly seconds: number
  /** Test files that were left out because they fail without the mutant too. */
  readonly leftOut: readonly string[]
}

/**
 * Two count as survived: `undecided` where a test file ran out of time, and was slow without the mutant too; `broken`
 * where it failed only because the mutant uses a name that nothing declares.
 */
export type Verdict = 'killed' | 'timed out' | 'undecided' | 'broken' | 'survived'

export const isKilled = (verdict: Verdict): boolean => verdict === 'killed' || verdict === 'timed out'

/** Applies mutants in copies of the project, one at a time in each, and runs tests there. */
export interface MutantRunner extends AsyncDisposable {
  /** Runs test files on the unchanged copy, unless it has. Throws where one fails. */
  checkGreen(tests: readonly string[]): Promise<void>
  /**
   * Runs the test files one after another, until one notices; one that fails without the mutant notices nothing.
   * Throws where the change leaves no code that can be parsed, and where all copies are in use.
   */
  run(change: SourceChange, tests: readonly string[]): Promise<MutantResult>
}

const LEAST_LIMIT_S = 60
const MOST_LIMIT_S = 600

/** Below a tenth of its limit a run without the mutant was fast enough for a timeout to be the mutant's. */
const LIMIT_RATIO = 10

/** How long a test file may take with a mutant; the machine may be busier than it was for the run without. */
export const limitOf = (greenSeconds: number): number =>
  Math.min(MOST_LIMIT_S, Math.max(LEAST_LIMIT_S, greenSeconds * LIMIT_RATIO * 1.5))

/** A timeout is the mutant's doing only where the unchanged run was far from the limit. */
export const timeoutVerdict = (greenSeconds: number, limitSeconds: number): Verdict =>
  greenSeconds < limitSeconds / LIMIT_RATIO ? 'timed out' : 'undecided'

export async function startMutantRunner(concurrency = 1): Promise<MutantRunner> {
  const unchanged = await copyProject()
  const copies = await Promise.all(Array.from({ length: concurrency }, () => copyProject()))
  const free = [...copies]
  let starting: Promise<TestPostgres> | undefined
  /** By file, of a run without a mutant: how long it took, or why it failed. */
  const unchangedRuns = new Map<string, Promise<number | string>>()

  async function runFile(folder: string, file: string, limitSeconds: number): Promise<TestFileRun> {
    if (file.endsWith('.db.test.ts')) starting ??= startTestPostgres()
    const postgres = await starting
    const servers =
      postgres === undefined
        ? {}
        : { TEST_TEMPLATE_URL: postgres.templateUrl, TEST_SERVICE_URL: postgres.serviceUrl }
    const env = { ...compileCache(folder), ...servers }
    return runTestFile(folder, file, { limitMs: limitSeconds * 1_000, env })
  }

  /** Two mutants that need the same file wait for one run of it. */
  function runUnchanged(file: string): Promise<number | string> {
    const known = unchangedRuns.get(file) ?? tryUnchanged(file)
    unchangedRuns.set(file, known)
    return known
  }

  // A busy machine fails a test now and then, with a mutant and without: only what fails twice has failed.
  async function tryUnchanged(file: string): Promise<number | string> {
    const first = await runFile(unchanged.folder, file, MOST_LIMIT_S)
    const last = first.outcome === 'passed' ? first : await runFile(unchanged.folder, file, MOST_LIMIT_S)
    return last.outcome === 'passed'
      ? last.seconds
      : `${file} ${last.outcome} without a mutant: ${last.failure ?? ''}`
  }

  async function runMutated(folder: string, file: string, limitSeconds: number): Promise<TestFileRun> {
    const first = await runFile(folder, file, limitSeconds)
    if (first.outcome !== 'failed') return first
    const second = await runFile(folder, file, limitSeconds)
    return second.outcome === 'passed' ? { ...second, failure: `failed once: ${first.failure}` } : second
  }

  async function checkGreen(tests: readonly string[]): Promise<void> {
    await forEachConcurrent(tests, concurrency, async (file) => {
      const result = await runUnchanged(file)
      if (typeof result === 'string') throw new Error(result)
    })
  }

  return {
    checkGreen,
    async run(change, tests) {
      if (change.file.startsWith('packages/server/migrations/')) {
        throw new Error(`${change.file}: the shared test database is migrated before mutants are applied`)
      }
      const startMs = performance.now()
      const leftOut: string[] = []
      let failedOnce: string | undefined
      const ended = (verdict: Verdict, noticedBy?: string): MutantResult => ({
        verdict,
        ...(noticedBy === undefined ? {} : { noticedBy }),
        seconds: (performance.now() - startMs) / 1_000,
        leftOut,
      })
      const copy = free.pop()
      if (copy === undefined) throw new Error(`only ${concurrency} mutants can be run at the same time`)
      try {
        await copy.apply(change)
        await assertParses(join(copy.folder, change.file))
        for (const file of tests) {
          const greenSeconds = await runUnchanged(file)
          if (typeof greenSeconds === 'string') {
            leftOut.push(greenSeconds)
            continue
          }
          const limitSeconds = limitOf(greenSeconds)
          const { outcome, failure, isUndeclared } = await runMutated(copy.folder, file, limitSeconds)
          if (outcome === 'failed')
            return ended(isUndeclared === true ? 'broken' : 'killed', `${file}: ${failure}`)
          if (outcome === 'timed out') return ended(timeoutVerdict(greenSeconds, limitSeconds), file)
          if (failure !== undefined) failedOnce ??= `${file} ${failure}`
        }
        return ended('survived', failedOnce)
      } finally {
        await copy.restore()
        free.push(copy)
      }
    },
    ...disposeOnSignal(async () => {
      await (await starting)?.[Symbol.asyncDispose]()
      for (const copy of [...copies, unchanged]) await copy[Symbol.asyncDispose]()
    }),
  }
}

/** A mutant that is no TypeScript would be noticed by anything. */
async function assertParses(path: string): Promise<void> {
  if (path.endsWith('.ts')) stripTypeScriptTypes(await readFile(path, 'utf8'))
}
