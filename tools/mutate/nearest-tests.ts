import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findImports, projectRoot } from '../architecture/source-files.ts'
import { areaOf } from './find-mutants.ts'

/** Finds the test files that can notice a mutant of a file, the nearest first. */
export type FindNearest = (file: string) => readonly string[]

/**
 * Tests elsewhere that a mutant of an area must get past too. They are few and short: each is run for every mutant
 * that the tests beside the code do not notice.
 */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'core/feed': ['e2e/channel-rules/channel-histories.test.ts'],
  'core/hls': ['e2e/channel-rules/channel-histories.test.ts'],
  'core/packaging': [
    'packages/server/src/modules/assets/packaging/package-file.test.ts',
    'packages/server/src/modules/assets/packaging/probe-file.test.ts',
    'packages/server/src/modules/assets/packaging/make-slate.test.ts',
    'packages/server/src/modules/assets/packaging/make-images.test.ts',
  ],
  'core/rules': ['e2e/plan-rules/plan-rules.test.ts'],
  'core/schedule': ['e2e/channel-rules/channel-histories.test.ts'],
  'core/timeline': ['e2e/channel-rules/channel-histories.test.ts'],
  'modules/assets': ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
  'modules/auth': ['e2e/sessions/refresh.test.ts'],
  'modules/catalog': ['e2e/visibility/visibility.test.ts'],
  'modules/ingest': ['e2e/on-air/changed-future.test.ts'],
  'modules/schedule': [
    'packages/server/src/modules/programs/change-programs.db.test.ts',
    'packages/server/src/modules/plans/plans.db.test.ts',
    'e2e/on-air/changed-future.test.ts',
  ],
}

/**
 * Those that import the file, directly or by way of others: first of its folder, then of its package or module by the
 * number of files between, then those elsewhere that are listed for its area.
 */
export function createNearestTests(): FindNearest {
  const importers = readImporters()
  return (file) => {
    const distances = distancesTo(file, importers)
    const home = file.startsWith('packages/core/')
      ? 'packages/core/src/'
      : `packages/server/src/${areaOf(file)}/`
    const folder = dirname(file)
    const own = file.replace(/\.ts$/, '.test.ts')
    const rank = (test: string) =>
      (dirname(test) === folder ? 0 : 1_000) + (test === own ? 0 : distances.get(test)!)
    const near = [...distances.keys()].filter((path) => path.endsWith('.test.ts') && path.startsWith(home))
    const ranked = near.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    return [...ranked, ...(ELSEWHERE[areaOf(file)] ?? [])]
  }
}

/** Which files import a file, types alone left out. */
function readImporters(): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  for (const path of globSync('packages/{core,server}/src/**/*.ts', { cwd: projectRoot })) {
    const text = readFileSync(join(projectRoot, path), 'utf8').replaceAll(/^import type [^'"]*'[^']+'/gm, '')
    for (const target of findImports(text)) {
      const resolved = resolveImport(path, target)
      importers.set(resolved, [...(importers.get(resolved) ?? []), path])
    }
  }
  return importers
}

function resolveImport(from: string, target: string): string {
  if (target.startsWith('@continuity/core/'))
    return target.replace('@continuity/core/', 'packages/core/src/').concat('.ts')
  return target.startsWith('.') ? relative('.', join(dirname(from), target)) : target
}

function distancesTo(
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]])
  const queue = [file]
  for (const path of queue) {
    for (const importer of importers.get(path) ?? []) {
      if (distances.has(importer)) continue
      distances.set(importer, distances.get(path)! + 1)
      queue.push(importer)
    }
  }
  return distances
}
