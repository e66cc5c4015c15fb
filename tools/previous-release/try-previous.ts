import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readSourceFiles } from '../architecture/source-files.ts'
import { findTableNames } from '../architecture/table-names.ts'
import { checkOut, linkDependencies } from './check-out.ts'
import { findBreaking, findPrevious, MIGRATIONS } from './find-previous.ts'
import { type Failure, findFailingAtHome, runOn, type Template } from './run-tests-of.ts'
import { findTouched } from './touched-names.ts'

export interface TryOptions {
  readonly root: string
  /** The checkout whose dependencies are used. */
  readonly dependenciesOf?: string
  /** A database with the schema of `root`. */
  readonly template: Template
  /** All tests that use what was touched, not only the nearest of each folder. */
  readonly isEvery?: boolean
}

export type TryResult =
  | { readonly kind: 'not tried'; readonly why: string }
  | {
      readonly kind: 'tried'
      readonly name: string
      /** The tables and functions that the new migrations change, and the test files that use them. */
      readonly touched: readonly string[]
      readonly files: readonly string[]
      /** Tests that fail on this schema, and not on their own. */
      readonly failures: readonly Failure[]
      /** Those that fail on both, whatever the schema. */
      readonly alwaysFailing: readonly Failure[]
      readonly output: string
    }

/**
 * Left out: what is about the schema of its own commit (what it is, how it
 * comes about, which index a query takes), and what is about races and outages,
 * which take long and touch no column that other tests leave alone.
 */
const LEFT_OUT = /\/(migrate|schema[^/]*|install-jobs|[^/]*(plans|races|faults|outage))\.db\.test\.ts$/

/** Of the tests of one folder, unless every test is to run: most of them repeat the same statements. */
const MOST_OF_A_FOLDER = 3

/** Runs the database tests of the previous release on the schema of this one, where a new migration touches what they use. */
export async function tryPrevious(options: TryOptions): Promise<TryResult> {
  const { root, dependenciesOf = root, template, isEvery = false } = options
  const previous = await findPrevious(root)
  if (previous.kind === 'none') return notTried(previous.why)
  const { commit, name, added } = previous
  const breaking = await findBreaking(root, added)
  if (breaking !== undefined) return notTried(`${name} cannot live with ${breaking}`)
  const touched = findTouched(
    await Promise.all(added.map((file) => readFile(join(root, MIGRATIONS, file), 'utf8'))),
  )
  if (touched.length === 0) return notTried(`${added.join(', ')}: nothing that ${name} knows is changed`)

  const folder = await mkdtemp(join(tmpdir(), 'continuity-previous-'))
  try {
    await checkOut(root, commit, folder)
    await linkDependencies(dependenciesOf, folder)
    const files = selectTests(folder, touched, isEvery)
    if (files.length === 0) return notTried(`${name} has no test that uses ${touched.join(', ')}`)
    const first = await runOn(template, folder, files)
    return {
      kind: 'tried',
      name,
      touched,
      files,
      output: first.output,
      ...(await judge(template, folder, first.failures)),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const notTried = (why: string) => ({ kind: 'not tried', why }) as const

/**
 * The database tests of those folders whose statements name something that was touched: all of them, or of each folder
 * those that together name the most of it, and then the shortest.
 */
function selectTests(folder: string, touched: readonly string[], isEvery: boolean): string[] {
  const calls = new RegExp(`\\b(${touched.join('|')})\\(`)
  const isUsing = ({ text }: { text: string }) => findTableNames(text, touched).length > 0 || calls.test(text)
  const using = readSourceFiles(folder).filter(isUsing)
  const folders = new Set(using.map(({ path }) => dirname(path)))
  const found = globSync('packages/*/src/**/*.db.test.ts', { cwd: folder }).filter(
    (file) => !LEFT_OUT.test(file) && folders.has(dirname(file)),
  )
  if (isEvery) return found
  const tests = found.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  return [...Map.groupBy(tests, ({ file }) => dirname(file)).values()].flatMap((of) => nearest(of, touched))
}

function nearest(tests: readonly TestText[], touched: readonly string[]): string[] {
  const left = new Set(tests.toSorted((a, b) => a.text.length - b.text.length))
  const open = new Set(touched)
  const chosen: TestText[] = []
  while (left.size > 0 && chosen.length < MOST_OF_A_FOLDER) {
    const namesIn = ({ text }: TestText) => [...open].filter((name) => new RegExp(`\\b${name}\\b`).test(text))
    const next = [...left].reduce((best, it) => (namesIn(it).length > namesIn(best).length ? it : best))
    for (const name of namesIn(next)) open.delete(name)
    left.delete(next)
    chosen.push(next)
  }
  return chosen.map(({ file }) => file)
}

interface TestText {
  readonly file: string
  readonly text: string
}

/**
 * A failure counts when it happens twice on the new schema and not on its own: a commit may have been broken by itself,
 * and a machine may be slow once.
 */
async function judge(template: Template, folder: string, failures: readonly Failure[]) {
  if (failures.length === 0) return { failures, alwaysFailing: [] }
  const files = [...new Set(failures.map(({ file }) => file).filter((file) => file !== ''))]
  const again = await runOn(template, folder, files)
  const twice = failures.filter((failure) => again.failures.some(({ name }) => name === failure.name))
  if (twice.length === 0) return { failures: [], alwaysFailing: [] }
  const atHome = await findFailingAtHome(folder, [...new Set(twice.map(({ file }) => file))])
  return {
    failures: twice.filter(({ name }) => !atHome.includes(name)),
    alwaysFailing: twice.filter(({ name }) => atHome.includes(name)),
  }
}
