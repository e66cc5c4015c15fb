import { forEachConcurrent } from '../../packages/server/src/platform/concurrency/for-each-concurrent.ts'
import type { ListedMutant, ListedMutants } from './listed-mutant.ts'
import { findFaults, loadListed } from './load-listed.ts'
import { isKilled, type MutantResult, startMutantRunner } from './mutant-runner.ts'
import { printMarkdownTable } from './page.ts'

export interface ListedReport {
  readonly table: string
  /** Mutants that no test noticed, and equivalent ones that a test did. */
  readonly faults: readonly string[]
}

interface Tried {
  readonly area: string
  readonly mutant: ListedMutant
  readonly result: MutantResult
}

/** Applies the listed mutants, all or those of one area or id, and expects the tests to notice each of them. */
export async function runListed(
  only: string | undefined,
  concurrency: number,
  log: (line: string) => void,
): Promise<ListedReport | undefined> {
  const lists = await loadListed()
  const faults = findFaults(lists)
  if (faults.length > 0) throw new Error(`The lists are out of date:\n${faults.join('\n')}`)
  const chosen = choose(lists, only)
  if (chosen.length === 0) return undefined
  await using runner = await startMutantRunner(concurrency)
  const files = [...new Set(chosen.flatMap(({ mutant }) => mutant.tests))]
  log(`${chosen.length} mutants; ${files.length} test files without a mutant first`)
  await runner.checkGreen(files)
  const tried: Tried[] = []
  await forEachConcurrent(chosen, concurrency, async ({ area, mutant }) => {
    const result = await runner.run(mutant.change, mutant.tests)
    tried.push({ area, mutant, result })
    const { verdict, noticedBy = '', seconds } = result
    log(
      `${mutant.id}  ${verdict.padEnd(9)} ${seconds.toFixed(1).padStart(6)} s  ${mutant.title}  ${noticedBy}`,
    )
  })
  return { table: printAreas(tried), faults: tried.flatMap(faultOf) }
}

function choose(lists: readonly ListedMutants[], only: string | undefined): Omit<Tried, 'result'>[] {
  return lists
    .flatMap(({ area, mutants }) => mutants.map((mutant) => ({ area, mutant })))
    .filter(({ area, mutant }) => only === undefined || area === only || mutant.id === only)
}

function printAreas(tried: readonly Tried[]): string {
  const areas = [...new Set(tried.map(({ area }) => area))].toSorted()
  const rows = [...areas, 'all'].map((area) => {
    const here = tried.filter((it) => area === 'all' || it.area === area)
    const real = here.filter(({ mutant }) => mutant.equivalent === undefined)
    const killed = real.filter(({ result }) => isKilled(result.verdict))
    const timedOut = real.filter(({ result }) => result.verdict === 'timed out')
    const counts = [here.length, killed.length, timedOut.length, real.length - killed.length]
    return [area, ...counts.map(String), String(here.length - real.length)]
  })
  return printMarkdownTable(
    ['area', 'mutants', 'killed', 'of them by timeout', 'survived', 'equivalent'],
    rows,
  )
}

function faultOf({ area, mutant, result }: Tried): string[] {
  const { id, title, equivalent, change } = mutant
  const at = `${id} (${area}, ${change.file}): ${title}`
  if (equivalent === undefined) return isKilled(result.verdict) ? [] : [`${at}: ${result.verdict}`]
  return isKilled(result.verdict) ? [`${at}: listed as equivalent, but ${result.noticedBy} noticed it`] : []
}
