import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the tests of a file need: nothing, PostgreSQL, or the whole system. */
export type Kind = 'unit' | 'db' | 'e2e'

export const kinds: readonly Kind[] = ['unit', 'db', 'e2e']

export function kindOf(file: string): Kind {
  if (/^(e2e|bench)\//.test(file)) return 'e2e'
  return /\.(db|servers)\.test\.ts$/.test(file) ? 'db' : 'unit'
}

/** The named files and all in named folders, or all of a kind, or all; those that took longest first, so that no long one runs alone at the end. */
export function selectFiles(root: string, named: readonly string[], kind: Kind | undefined): string[] {
  const patterns =
    named.length > 0
      ? named.map((name) => patternOf(root, name))
      : ['{packages,tools,e2e,bench}/**/*.test.ts']
  const found = patterns.map((pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }))
  const missing = named.filter((_, at) => found[at]!.length === 0)
  if (missing.length > 0) throw new Error(`no test file was found for ${missing.join(', ')}`)
  const files = [...new Set(found.flat())]
  const seconds = readTimes(root)
  const rank = (file: string) => seconds[file] ?? { unit: 0, db: 0.5, e2e: 5 }[kindOf(file)]
  return files
    .filter((file) => kind === undefined || kindOf(file) === kind)
    .toSorted((a, b) => rank(b) - rank(a) || a.localeCompare(b))
}

function patternOf(root: string, name: string): string {
  const isFolder = statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? join(name, '**/*.test.ts') : name
}

const TIMES = 'tools/test-runner/file-times.json'

/** Seconds of the files that took longest in a whole run; only their order matters. */
export function readTimes(root: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(join(root, TIMES), 'utf8')) as Record<string, number>
  } catch {
    return {}
  }
}

export const timesPath = (root: string): string => join(root, TIMES)
