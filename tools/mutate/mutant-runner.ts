import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { copyProject, type SourceChange } from '../source-changes/project-copy.ts'
import { startTestPostgres, type TestPostgres } from '../test-postgres.ts'
import { disposeOnSignal } from './dispose-on-signal.ts'
import { runTestFile, type TestFileRun } from './run-test-file.ts'

export interface MutantResult {
  readonly verdict: Verdict
  /** What noticed: the test file and the first test that failed in it. */
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

/** Applies mutants, one at a time, in a copy of the project, and runs tests there. */
export interface MutantRunner extends AsyncDisposable {
  /** Runs test files on the unchanged copy, unless it has. Throws where one fails. */
  checkGreen(tests: readonly string[]): Promise<void>
  /**
   * Runs the test files one after another, until one notices; one that fails without the mutant notices nothing.
   * Throws where the change leaves no code that can be parsed.
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

export async function startMutantRunner(): Promise<MutantRunner> {
  const unchanged = await copyProject()
  const copy = await copyProject()
  let postgres: TestPostgres | undefined
  /** By file, of a run without a mutant: how long it took, or why it failed. */
  const unchangedRuns = new Map<string, number | string>()

  async function runFile(folder: string, file: string, limitSeconds: number): Promise<TestFileRun> {
    if (file.endsWith('.db.test.ts')) postgres ??= await startTestPostgres()
    const env =
      postgres === undefined
        ? {}
        : { TEST_TEMPLATE_URL: postgres.templateUrl, TEST_SERVICE_URL: postgres.serviceUrl }
    return runTestFile(folder, file, { limitMs: limitSeconds * 1_000, env })
  }

  async function runUnchanged(file: string): Promise<number | string> {
    const known = unchangedRuns.get(file)
    if (known !== undefined) return known
    const first = await runFile(unchanged.folder, file, MOST_LIMIT_S)
    // A busy machine fails a test now and then; what fails twice is broken.
    const last = first.outcome === 'passed' ? first : await runFile(unchanged.folder, file, MOST_LIMIT_S)
    const result =
      last.outcome === 'passed'
        ? last.seconds
        : `${file} ${last.outcome} without a mutant: ${last.failure ?? ''}`
    unchangedRuns.set(file, result)
    return result
  }

  async function checkGreen(tests: readonly string[]): Promise<void> {
    for (const file of tests) {
      const result = await runUnchanged(file)
      if (typeof result === 'string') throw new Error(result)
    }
  }

  return {
    checkGreen,
    async run(change, tests) {
      if (change.file.startsWith('packages/server/migrations/')) {
        throw new Error(`${change.file}: the shared test database is migrated before mutants are applied`)
      }
      const startMs = performance.now()
      const leftOut: string[] = []
      const ended = (verdict: Verdict, noticedBy?: string): MutantResult => ({
        verdict,
        ...(noticedBy === undefined ? {} : { noticedBy }),
        seconds: (performance.now() - startMs) / 1_000,
        leftOut,
      })
      await copy.apply(change)
      try {
        await assertParses(join(copy.folder, change.file))
        for (const file of tests) {
          const greenSeconds = await runUnchanged(file)
          if (typeof greenSeconds === 'string') {
            leftOut.push(greenSeconds)
            continue
          }
          const limitSeconds = limitOf(greenSeconds)
          const { outcome, failure, isUndeclared } = await runFile(copy.folder, file, limitSeconds)
          if (outcome === 'failed')
            return ended(isUndeclared === true ? 'broken' : 'killed', `${file}: ${failure}`)
          if (outcome === 'timed out') return ended(timeoutVerdict(greenSeconds, limitSeconds), file)
        }
        return ended('survived')
      } finally {
        await copy.restore()
      }
    },
    ...disposeOnSignal(async () => {
      await postgres?.[Symbol.asyncDispose]()
      await copy[Symbol.asyncDispose]()
      await unchanged[Symbol.asyncDispose]()
    }),
  }
}

/** A mutant that is no TypeScript would be noticed by anything. */
async function assertParses(path: string): Promise<void> {
  if (path.endsWith('.ts')) stripTypeScriptTypes(await readFile(path, 'utf8'))
}
