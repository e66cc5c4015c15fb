import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkOut, linkDependencies } from './check-out.ts'
import { findBreaking, findPrevious } from './find-previous.ts'
import { type Failure, runAtHome, runOn, type Template } from './run-tests-of.ts'

export interface TryOptions {
  readonly root: string
  /** The checkout whose dependencies are used. */
  readonly dependenciesOf?: string
  /** A database with the schema of `root`. */
  readonly template: Template
}

export type TryResult =
  | { readonly kind: 'not tried'; readonly why: string }
  | {
      readonly kind: 'tried'
      readonly name: string
      /** Tests that fail on this schema, and not on their own. */
      readonly failures: readonly Failure[]
      /** Those that fail on both, which says nothing about the schema. */
      readonly alwaysFailing: readonly Failure[]
      readonly output: string
    }

/**
 * Left out: what is about the schema of its own commit (what it is, how it
 * comes about, which index a query takes), and what is about races and outages,
 * which take long and touch no column that other tests leave alone.
 */
const LEFT_OUT = /\/(migrate|schema[^/]*|install-jobs|[^/]*(plans|races|faults|outage))\.db\.test\.ts$/

/** Runs the database tests of the previous release on the schema of this one. */
export async function tryPrevious({ root, dependenciesOf = root, template }: TryOptions): Promise<TryResult> {
  const previous = await findPrevious(root)
  if (previous.kind === 'none') return notTried(previous.why)
  const { commit, name, added } = previous
  const breaking = await findBreaking(root, added)
  if (breaking !== undefined) return notTried(`${name} cannot live with ${breaking}`)

  const folder = await mkdtemp(join(tmpdir(), 'continuity-previous-'))
  try {
    await checkOut(root, commit, folder)
    await linkDependencies(dependenciesOf, folder)
    const tests = globSync('packages/*/src/**/*.db.test.ts', { cwd: folder })
    const files = tests.filter((file) => !LEFT_OUT.test(file))
    if (files.length === 0) return notTried(`${name} has no test with a database`)
    const { failures, output } = await runOn(template, folder, files)
    return { kind: 'tried', name, output, ...(await judge(folder, failures)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const notTried = (why: string) => ({ kind: 'not tried', why }) as const

/** A commit may have been broken by itself. */
async function judge(folder: string, failures: readonly Failure[]) {
  if (failures.length === 0) return { failures, alwaysFailing: [] }
  const atHome = await runAtHome(folder, [...new Set(failures.map(({ file }) => file))])
  const isAlways = (failure: Failure) => atHome.failures.some(({ name }) => name === failure.name)
  return {
    failures: failures.filter((failure) => !isAlways(failure)),
    alwaysFailing: failures.filter(isAlways),
  }
}
