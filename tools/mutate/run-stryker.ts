import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../architecture/source-files.ts'
import { copyProject } from '../source-changes/project-copy.ts'
import { disposeOnSignal } from './dispose-on-signal.ts'
import { areaOf, changeOf, describeMutant, type FoundMutant, offsetOf } from './find-mutants.ts'
import { isKilled, startMutantRunner } from './mutant-runner.ts'
import { createNearestTests } from './nearest-tests.ts'
import { printMarkdownTable } from './page.ts'

export interface StrykerReport {
  readonly table: string
  readonly survivors: readonly string[]
}

/** What is read of the report that Stryker writes: the schema of mutation-testing-elements. */
interface JsonReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly JsonMutant[] }>>
}

interface JsonMutant {
  status:
    | 'Killed'
    | 'Elsewhere'
    | 'Timeout'
    | 'Survived'
    | 'NoCoverage'
    | 'RuntimeError'
    | 'CompileError'
    | 'Ignored'
  readonly mutatorName: string
  readonly replacement?: string
  /** Lines and columns are counted from 1. */
  readonly location: { readonly start: Place; readonly end: Place }
}

interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Runs all mutants of one folder or file of packages/core by StrykerJS, with the tests of that folder. What they do not
 * notice is tried again with all tests that import the code. It works in copies of the project, so that nothing that it
 * writes stays in the working tree.
 */
export async function runStryker(
  area: string,
  concurrency: number,
  log: (line: string) => void,
): Promise<StrykerReport> {
  const mutate = filesOf(area)
  if (mutate.length === 0)
    throw new Error(`${area} has no code: name a folder or file of packages/core/src, such as core/schedule`)
  const nearest = createNearestTests()
  const isNear = (test: string) => mutate.some((file) => areaOf(file) === areaOf(test))
  const importing = [...new Set(mutate.flatMap(nearest))].filter((test) => test.startsWith('packages/core/'))
  const near = importing.filter(isNear)
  const tests = new Set(near.length > 0 ? near : importing)
  const { files } = await runWith(mutate, [...tests], concurrency)
  await using runner = await startMutantRunner()
  for (const [file, { mutants }] of Object.entries(files)) {
    const others = nearest(file).filter((test) => !tests.has(test))
    for (const mutant of mutants.filter(isSurvivor)) {
      if (others.length === 0) continue
      const { verdict, noticedBy = '' } = await runner.run(changeOf(found(file, mutant)), others)
      log(`${describe(file, mutant)}: ${verdict} ${noticedBy}`)
      if (isKilled(verdict)) mutant.status = 'Elsewhere'
    }
  }
  return summarize({ files })
}

async function runWith(
  mutate: readonly string[],
  testFiles: readonly string[],
  concurrency: number,
): Promise<JsonReport> {
  const copy = await copyProject()
  const stop = new AbortController()
  let ended: Promise<unknown> = Promise.resolve()
  await using _ = disposeOnSignal(async () => {
    stop.abort()
    await ended
    await copy[Symbol.asyncDispose]()
  })
  const options = {
    inPlace: true,
    mutate,
    concurrency,
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    tap: { testFiles, nodeArgs: ['--test-reporter=tap'] },
    coverageAnalysis: 'perTest',
    // On a busy machine the usual limit is reached by tests that would pass. Endless loops are found by counting.
    timeoutMS: 30_000,
    timeoutFactor: 10,
    // Node runs the TypeScript as it is; Stryker must not rewrite the configuration of a compiler.
    tsconfigFile: 'none.json',
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: 'mutation.json' },
  }
  await writeFile(join(copy.folder, 'stryker.config.json'), JSON.stringify(options))
  const running = stryker(copy.folder, stop.signal)
  ended = running.catch(() => {})
  await running
  return JSON.parse(await readFile(join(copy.folder, 'mutation.json'), 'utf8')) as JsonReport
}

function found(file: string, { mutatorName, replacement = '', location }: JsonMutant): FoundMutant {
  const text = readFileSync(join(projectRoot, file), 'utf8')
  const [start, end] = [location.start, location.end].map(({ line, column }) =>
    offsetOf(text, { line: line - 1, column: column - 1 }),
  ) as [number, number]
  const original = text.slice(start, end)
  return { file, line: location.start.line, mutator: mutatorName, original, replacement, start, end }
}

const isSurvivor = ({ status }: JsonMutant): boolean => status === 'Survived' || status === 'NoCoverage'

const describe = (file: string, mutant: JsonMutant): string => describeMutant(found(file, mutant))

/** `core/timeline` and `core/planning/plan.ts` name a folder and a file of packages/core/src; `core` names it all. */
function filesOf(area: string): string[] {
  const path = area.replace(/^core(?=\/|$)/, 'packages/core/src')
  const pattern = path.endsWith('.ts') ? path : `${path}/**/*.ts`
  const isCode = (file: string) => !file.endsWith('.test.ts') && !file.includes('/testing/')
  return globSync(pattern, { cwd: projectRoot }).filter(isCode).toSorted()
}

async function stryker(folder: string, signal: AbortSignal): Promise<void> {
  const program = join(projectRoot, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const child = spawn(process.execPath, [program, 'run', 'stryker.config.json'], {
    cwd: folder,
    stdio: 'inherit',
    signal,
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => (signal.aborted ? undefined : reject(error)))
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`Stryker ended with code ${code}`)
}

function summarize({ files }: JsonReport): StrykerReport {
  const rows = Object.entries(files).map(([file, { mutants }]) => [file, ...score(mutants)])
  const all = Object.values(files).flatMap(({ mutants }) => mutants)
  if (all.length === 0) throw new Error('Stryker tried no mutant')
  const table = printMarkdownTable(
    ['file', 'mutants', 'killed', 'of them by timeout', 'by tests elsewhere', 'survived', 'no test', 'score'],
    [...rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)), ['all', ...score(all)]],
  )
  const survivors = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.filter(isSurvivor).map((mutant) => describe(file, mutant)),
  )
  return { table, survivors }
}

/** A mutant that breaks the test run itself is noticed too. */
function score(mutants: readonly JsonMutant[]): string[] {
  const count = (...statuses: readonly JsonMutant['status'][]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length
  const killed = count('Killed', 'Timeout', 'RuntimeError', 'Elsewhere')
  const tried = mutants.length - count('Ignored', 'CompileError')
  const counts = [tried, killed, count('Timeout'), count('Elsewhere'), count('Survived'), count('NoCoverage')]
  return [...counts.map(String), `${Math.round((100 * killed) / tried)} %`]
}
