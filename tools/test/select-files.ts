import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'

/**
 * What the tests of a file need: nothing, PostgreSQL and NATS, or the whole system. Slow ones of any kind are run at
 * night.
 */
export const kinds = ['unit', 'db', 'e2e', 'slow'] as const
export type Kind = (typeof kinds)[number]

export function kindOf(file: string): Kind {
  if (file.includes('.slow.')) return 'slow'
  if (file.startsWith('e2e/')) return 'e2e'
  return /\.(db|servers)\.test\.ts$/.test(file) ? 'db' : 'unit'
}

/** The named files and all in named folders, or all of some kinds; large ones first, so that no long one runs alone at the end. */
export function selectFiles(named: readonly string[], wanted: readonly string[]): string[] {
  const patterns =
    named.length > 0 ? named.map(patternOf) : ['{packages,tools,e2e,proofs,bench}/**/*.test.ts']
  const found = patterns.map((pattern) =>
    globSync(pattern, { cwd: projectRoot, exclude: ['**/node_modules/**'] }),
  )
  const missing = named.filter((_, at) => found[at]!.length === 0)
  if (missing.length > 0) throw new Error(`no test file was found for ${missing.join(', ')}`)
  const files = [...new Set(found.flat())].filter((file) => named.length > 0 || wanted.includes(kindOf(file)))
  const rank = (file: string) =>
    (kinds.length - kinds.indexOf(kindOf(file))) * -1e6 + statSync(join(projectRoot, file)).size
  return files.toSorted((a, b) => rank(b) - rank(a))
}

function patternOf(name: string): string {
  const isFolder = statSync(join(projectRoot, name), { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? join(name, '**/*.test.ts') : name
}
