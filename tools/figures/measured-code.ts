import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { projectRoot } from '../architecture/source-files.ts'

/** A page of many runs names what was run. */
const MEASURED = /^Measured code(?: of [\w-]+)?: (.+)\.$/gm
const ENTRY = /`([^`]+)` ([0-9a-f]{8}|missing)/g
/** Templates are those of configurations: nginx has one. */
const CODE = '**/*.{ts,tsx,css,sql,conf,template,json}'
/** The times of test files only decide their order. */
const NOT_MEASURED = ['**/*.test.{ts,tsx}', '**/testing/**', '**/node_modules', '**/file-times.json']
const STALE = /^> Older than the code: .+\n\n/m

const MISSING = 'missing'

/** The line by which a page of figures knows its code again. */
export function printMeasuredCode(watches: readonly string[], root = projectRoot): string {
  const entries = watches.map((path) => {
    const print = fingerprint(path, root)
    // Its page would never be stale.
    if (print === MISSING) throw new Error(`${path} has no code to measure`)
    return `\`${path}\` ${print}`
  })
  return `Measured code: ${entries.join(', ')}.`
}

/** The page with a notice below its title if its code has changed since the run, and without one if not. */
export function markIfStale(page: string, root = projectRoot): string {
  const bare = page.replace(STALE, '')
  const reason = findStaleness(bare, root)
  if (reason === undefined) return bare
  return bare.replace(/^(# .+\n\n)/, (title) => `${title}> Older than the code: ${reason}.\n\n`)
}

function findStaleness(page: string, root: string): string | undefined {
  // A page of several runs has a line for each.
  const measured = [...page.matchAll(MEASURED)].map(([, entries]) => entries!)
  if (measured.length === 0) return 'the run did not record which code it measured'
  const entries = measured.flatMap((line) => [...line.matchAll(ENTRY)])
  const changed = entries.filter(([, path, was]) => fingerprint(path!, root) !== was)
  if (changed.length === 0) return undefined
  const paths = [...new Set(changed.map(([, path]) => `\`${path}\``))]
  return `${paths.join(', ')} changed since this run`
}

/**
 * Of all code in a folder, or of one file; tests and their helpers in `testing` do not count. Files of `e2e` count with what
 * they import: from there, except the frame that all proofs share, and helpers in `testing` anywhere.
 */
function fingerprint(path: string, root: string): string {
  const full = join(root, path)
  if (!existsSync(full)) return MISSING
  const isFolder = statSync(full).isDirectory()
  const files = isFolder
    ? globSync(CODE, { cwd: full, exclude: NOT_MEASURED }).map((file) => join(full, file))
    : [full]
  if (files.length === 0) return MISSING
  const hash = createHash('sha256')
  const add = (name: string, file: string) => hash.update(`${name}\0`).update(readFileSync(file))
  for (const file of files.toSorted()) add(isFolder ? relative(full, file) : '', file)
  for (const file of importsOf(files, root)) add(relative(root, file), file)
  return hash.digest('hex').slice(0, 8)
}

/** Files that those of `e2e` among the given ones import, directly or not, and that are not given themselves. */
function importsOf(files: readonly string[], root: string): readonly string[] {
  const e2e = join(root, 'e2e')
  const isIn = (file: string, folder: string) => file.startsWith(`${folder}${sep}`)
  const isCounted = (file: string) =>
    (isIn(file, e2e) && !isIn(file, join(e2e, 'proofs'))) ||
    relative(root, file).split(sep).includes('testing')
  const given = new Set(files)
  const found = new Set<string>()
  const follow = (from: string) => {
    for (const [, path] of readFileSync(from, 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
      const target = join(dirname(from), path!)
      if (found.has(target) || given.has(target) || !isCounted(target)) continue
      found.add(target)
      follow(target)
    }
  }
  for (const file of files) if (isIn(file, e2e)) follow(file)
  return [...found].toSorted()
}
