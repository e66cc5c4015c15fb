import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../architecture/source-files.ts'
import { applyChange } from '../source-changes/project-copy.ts'
import type { ListedMutant, ListedMutants } from './listed-mutant.ts'

/** Every list in `listed/`, in the order of their names. */
export async function loadListed(): Promise<readonly ListedMutants[]> {
  const files = globSync('tools/mutate/listed/*.ts', { cwd: projectRoot }).toSorted()
  const lists: ListedMutants[] = []
  for (const file of files) {
    const exported = Object.values((await import(join(projectRoot, file))) as Record<string, unknown>)
    const found = exported.filter(isList)
    if (found.length === 0) throw new Error(`${file} exports no list of mutants`)
    lists.push(...found)
  }
  return lists
}

const isList = (value: unknown): value is ListedMutants =>
  typeof value === 'object' && value !== null && 'area' in value && 'mutants' in value

/** What is wrong with a list before any of it is run: an id twice, a text that is gone, a test that does not exist. */
export function findFaults(lists: readonly ListedMutants[]): string[] {
  const mutants = lists.flatMap((list) => list.mutants)
  const ids = mutants.map(({ id }) => id)
  const twice = new Set(ids.filter((id, at) => ids.indexOf(id) !== at))
  return [
    ...lists.filter((list) => list.mutants.length === 0).map(({ area }) => `${area} lists no mutant`),
    ...[...twice].map((id) => `${id} is listed twice`),
    ...mutants.flatMap(faultsOf),
  ]
}

function faultsOf({ id, change, tests }: ListedMutant): string[] {
  const missing = tests.filter((file) => globSync(file, { cwd: projectRoot }).length === 0)
  const faults = missing.map((file) => `${id}: ${file} does not exist`)
  if (tests.length === 0) faults.push(`${id} names no test`)
  try {
    applyChange(readFileSync(join(projectRoot, change.file), 'utf8'), change)
  } catch (error) {
    faults.push(`${id}: ${(error as Error).message}`)
  }
  return faults
}
