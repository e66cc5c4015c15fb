import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from '@continuity/dev/project-root'

const LEAST_SCORE = 85

const core = join(projectRoot, 'packages/core')
const here = import.meta.dirname
const reports = join(here, 'reports')
const temporary = mkdtempSync(join(tmpdir(), 'continuity-mutation-'))

/** What is read of the report that Stryker writes. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>
}

interface Mutant {
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'Ignored'
  readonly replacement?: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
}

const { values, positionals } = parseArgs({
  options: { concurrency: { type: 'string', default: String(availableParallelism()) } },
  allowPositionals: true,
})
const folders = positionals.length === 0 ? ['.'] : positionals

let stryker: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(signal))
const startMs = performance.now()
try {
  install()
  const report = await run()
  printTable(report)
  writeSurvivors(report)
} finally {
  rmSync(temporary, { recursive: true })
}

/** Stryker has many dependencies, so that it is installed where it is used first. */
function install(): void {
  const timeOf = (file: string) => statSync(join(here, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json')) return
  const options = ['--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['ci', ...options], { stdio: 'inherit' })
}

async function run(): Promise<Report> {
  const options = {
    mutate: folders.flatMap((folder) => [
      join('src', folder, folder.endsWith('.ts') ? '' : '**/*.ts'),
      '!src/**/*.test.ts',
      '!src/**/testing/**',
    ]),
    testRunner: 'in-process',
    plugins: [join(here, 'test-runner.ts')],
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    // The runner ends endless tests itself, and only endless loading is left to Stryker.
    timeoutMS: 60_000,
    // What is loaded again is never freed.
    maxTestRunnerReuse: 500,
    // Node runs the code without checking types.
    disableTypeChecks: false,
    tempDirName: temporary,
    symlinkNodeModules: false,
    reporters: ['progress-append-only', 'json', 'html'],
    jsonReporter: { fileName: join(temporary, 'report.json') },
    htmlReporter: { fileName: join(reports, 'mutation.html') },
    warnings: { slow: false },
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(temporary, 'node_modules'))
  writeFileSync(join(temporary, 'stryker.json'), JSON.stringify(options))
  const program = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const started = spawn(process.execPath, [program, 'run', join(temporary, 'stryker.json')], {
    cwd: core,
    // A group of its own, which is ended as a whole.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  stryker = started
  const code = await new Promise<number | null>((resolve) => started.on('close', resolve))
  if (code !== 0) throw new Error(`Stryker ended with code ${code}`)
  return JSON.parse(readFileSync(join(temporary, 'report.json'), 'utf8')) as Report
}

function end(signal: NodeJS.Signals): void {
  if (stryker?.pid !== undefined) process.kill(-stryker.pid, 'SIGKILL')
  rmSync(temporary, { recursive: true, force: true })
  process.kill(process.pid, signal)
}

function printTable({ files }: Report): void {
  const byFolder = Map.groupBy(Object.entries(files), ([file]) => file.split('/')[1]!)
  const rows = [...byFolder].map(
    ([folder, found]) => [folder, count(found.flatMap(([, it]) => it.mutants))] as const,
  )
  const all = count(Object.values(files).flatMap(({ mutants }) => mutants))
  const names = Object.keys(all)
  console.log(`\n| folder | ${names.join(' | ')} |\n|---|${names.map(() => '---|').join('')}`)
  for (const [folder, counts] of [...rows.toSorted(([a], [b]) => (a < b ? -1 : 1)), ['all', all] as const])
    console.log(`| ${folder} | ${Object.values(counts).join(' | ')} |`)
  const minutes = (performance.now() - startMs) / 60_000
  console.log(
    `\n${minutes.toFixed(0)} minutes. At least ${LEAST_SCORE} % are wanted. Not noticed: ${reports}`,
  )
  if (!(Number.parseFloat(all.score) >= LEAST_SCORE)) process.exitCode = 1
}

/** An error is that of a process that a mutant ended, such as by using all memory. */
function count(mutants: readonly Mutant[]) {
  const of = (status: Mutant['status']) => mutants.filter((mutant) => mutant.status === status).length
  const noticed = of('Killed') + of('Timeout')
  return {
    mutants: mutants.length,
    killed: of('Killed'),
    timeout: of('Timeout'),
    survived: of('Survived'),
    'no coverage': of('NoCoverage'),
    errors: of('RuntimeError'),
    score: `${((100 * noticed) / mutants.length).toFixed(1)} %`,
  }
}

function writeSurvivors({ files }: Report): void {
  const lines = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ status }) => status !== 'Killed' && status !== 'Timeout')
      .map(({ location: { start }, replacement, status }) =>
        [`${file}:${start.line}:${start.column}`, status, replacement].join(' '),
      ),
  )
  mkdirSync(reports, { recursive: true })
  writeFileSync(join(reports, 'survivors.txt'), `${lines.join('\n')}\n`)
}
