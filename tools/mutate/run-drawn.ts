import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { seededRandom } from '../../e2e/rolling-restart/seeded-random.ts'
import { forEachConcurrent } from '../../packages/server/src/platform/concurrency/for-each-concurrent.ts'
import { projectRoot } from '../architecture/source-files.ts'
import { applyChange } from '../source-changes/project-copy.ts'
import { areaOf, changeOf, describeMutant, type FoundMutant, findMutants } from './find-mutants.ts'
import { isKilled, type MutantResult, startMutantRunner } from './mutant-runner.ts'
import { createNearestTests } from './nearest-tests.ts'
import { printMarkdownTable } from './page.ts'

export interface DrawnOptions {
  readonly count: number
  readonly seed: number
  /** Areas begin with it, such as `core` or `modules/ingest`. */
  readonly scope: string
  readonly concurrency: number
}

export interface DrawnReport {
  readonly table: string
  readonly survivors: readonly string[]
  /** Test files that fail without a mutant, and were left out. */
  readonly leftOut: readonly string[]
}

interface Tried {
  readonly mutant: FoundMutant
  /** Undefined where no test imports the file. */
  readonly result: MutantResult | undefined
}

/** Draws mutants at random, and runs the nearest tests against each. */
export async function runDrawn(
  { count, seed, scope, concurrency }: DrawnOptions,
  log: (line: string) => void,
): Promise<DrawnReport> {
  const all = (await findMutants()).filter(
    ({ file }) => `${areaOf(file)}/`.startsWith(`${scope}/`) || scope === '',
  )
  if (all.length < count) throw new Error(`${scope} has ${all.length} mutants, which is fewer than ${count}`)
  log(`${count} of ${all.length} mutants, seed ${seed}`)
  const nearest = createNearestTests()
  await using runner = await startMutantRunner(concurrency)
  // By the place in which they were drawn: those that take long end after later ones.
  const tried: Tried[] = []
  await forEachConcurrent([...draw(all, count, seed).entries()], concurrency, async ([at, mutant]) => {
    const tests = nearest(mutant.file)
    const result = tests.length === 0 ? undefined : await runner.run(changeOf(mutant), tests)
    tried[at] = { mutant, result }
    const { verdict = 'no test', noticedBy = '', seconds = 0 } = result ?? {}
    log(
      `${at + 1}  ${verdict.padEnd(9)} ${seconds.toFixed(1).padStart(6)} s  ${describeMutant(mutant)}  ${noticedBy}`,
    )
  })
  return {
    table: printAreas(tried),
    survivors: tried.filter(isSurvivor).map(({ mutant }) => describeMutant(mutant)),
    leftOut: [...new Set(tried.flatMap(({ result }) => result?.leftOut ?? []))],
  }
}

/** Stryker replaces nodes; as text, one in some hundred is no longer TypeScript, and another is drawn. */
function draw(all: readonly FoundMutant[], count: number, seed: number): readonly FoundMutant[] {
  const drawn: FoundMutant[] = []
  for (const mutant of shuffle(all, seed)) {
    if (drawn.length === count) break
    if (isTypeScript(mutant)) drawn.push(mutant)
  }
  return drawn
}

function isTypeScript(mutant: FoundMutant): boolean {
  const text = readFileSync(join(projectRoot, mutant.file), 'utf8')
  try {
    stripTypeScriptTypes(applyChange(text, changeOf(mutant)))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX') throw error
    return false
  }
}

const isSurvivor = ({ result }: Tried): boolean => result === undefined || !isKilled(result.verdict)

/** Fisher and Yates. */
function shuffle<T>(values: readonly T[], seed: number): readonly T[] {
  const random = seededRandom(seed)
  const shuffled = [...values]
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!]
  }
  return shuffled
}

function printAreas(tried: readonly Tried[]): string {
  const areas = [...new Set(tried.map(({ mutant }) => areaOf(mutant.file)))].toSorted()
  const rows = [...areas, 'all'].map((area) => {
    const here = tried.filter(({ mutant }) => area === 'all' || areaOf(mutant.file) === area)
    const killed = here.filter((it) => !isSurvivor(it))
    const untested = here.filter(({ result }) => result === undefined)
    const timedOut = killed.filter(({ result }) => result?.verdict === 'timed out')
    const survived = here.length - killed.length - untested.length
    const counts = [here.length, killed.length, timedOut.length, survived, untested.length]
    return [area, ...counts.map(String), `${Math.round((100 * killed.length) / here.length)} %`]
  })
  return printMarkdownTable(
    ['area', 'mutants', 'killed', 'of them by timeout', 'survived', 'no test', 'score'],
    rows,
  )
}
