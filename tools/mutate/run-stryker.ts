import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../house/source-files.ts'
import { copyProject } from '../source-changes/project-copy.ts'
import { disposeOnSignal } from './dispose-on-signal.ts'
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
  readonly status:
    | 'Killed'
    | 'Timeout'
    | 'Survived'
    | 'NoCoverage'
    | 'RuntimeError'
    | 'CompileError'
    | 'Ignored'
  readonly mutatorName: string
  readonly replacement?: string
  readonly location: { readonly start: { readonly line: number } }
}

/**
 * Runs all mutants of one folder or file of packages/core by StrykerJS. It works in a copy of the project, so that
 * nothing that it writes stays in the working tree.
 */
export async function runStryker(area: string, concurrency: number): Promise<StrykerReport> {
  const mutate = filesOf(area)
  if (mutate.length === 0)
    throw new Error(`${area} has no code: name a folder or file of packages/core/src, such as core/schedule`)
  const nearest = createNearestTests()
  const tests = new Set(
    mutate.flatMap((file) => nearest(file)).filter((file) => file.startsWith('packages/core/')),
  )
  const copy = await copyProject()
  await using _ = disposeOnSignal(async () => copy[Symbol.asyncDispose]())
  await writeFile(
    join(copy.folder, 'stryker.config.json'),
    JSON.stringify({
      inPlace: true,
      mutate,
      concurrency,
      testRunner: 'tap',
      plugins: ['@stryker-mutator/tap-runner'],
      tap: { testFiles: [...tests], nodeArgs: ['--test-reporter=tap'] },
      coverageAnalysis: 'perTest',
      // Node runs the TypeScript as it is; Stryker must not rewrite the configuration of a compiler.
      tsconfigFile: 'none.json',
      reporters: ['progress-append-only', 'json'],
      jsonReporter: { fileName: 'mutation.json' },
      allowEmpty: false,
    }),
  )
  await stryker(copy.folder)
  const report = JSON.parse(await readFile(join(copy.folder, 'mutation.json'), 'utf8')) as JsonReport
  return summarize(report)
}

/** `core/timeline` and `core/timeline/plan.ts` name a folder and a file of packages/core/src; `core` names it all. */
function filesOf(area: string): string[] {
  const path = area.replace(/^core(?=\/|$)/, 'packages/core/src')
  const pattern = path.endsWith('.ts') ? path : `${path}/**/*.ts`
  const isCode = (file: string) => !file.endsWith('.test.ts') && !file.includes('/testing/')
  return globSync(pattern, { cwd: projectRoot }).filter(isCode).toSorted()
}

async function stryker(folder: string): Promise<void> {
  const program = join(projectRoot, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const child = spawn(process.execPath, [program, 'run', 'stryker.config.json'], {
    cwd: folder,
    stdio: 'inherit',
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`Stryker ended with code ${code}`)
}

function summarize({ files }: JsonReport): StrykerReport {
  const rows = Object.entries(files).map(([file, { mutants }]) => [file, ...score(mutants)])
  const all = Object.values(files).flatMap(({ mutants }) => mutants)
  if (all.length === 0) throw new Error('Stryker tried no mutant')
  const table = printMarkdownTable(
    ['file', 'mutants', 'killed', 'of them by timeout', 'survived', 'no test', 'score'],
    [...rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)), ['all', ...score(all)]],
  )
  const survivors = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location, mutatorName, replacement = '' }) => {
        return `${file}:${location.start.line} ${mutatorName} → \`${replacement.replaceAll(/\s+/g, ' ').slice(0, 80)}\``
      }),
  )
  return { table, survivors }
}

/** A mutant that breaks the test run itself is noticed too. */
function score(mutants: readonly JsonMutant[]): string[] {
  const count = (...statuses: readonly JsonMutant['status'][]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length
  const killed = count('Killed', 'Timeout', 'RuntimeError')
  const tried = mutants.length - count('Ignored', 'CompileError')
  const counts = [tried, killed, count('Timeout'), count('Survived'), count('NoCoverage')]
  return [...counts.map(String), `${Math.round((100 * killed) / tried)} %`]
}
