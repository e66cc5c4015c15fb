import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'

/** By their file and name. */
export type Tests = Map<string, () => unknown>

/** Properties are tried with at most so many examples: nearly all that fail do so early. */
const EXAMPLES = 20

const importersOf = new Map<string, Set<string>>()
let again = { version: '', urls: new Set<string>() }

// In test files and what they import, this module stands for node:test and fast-check.
registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL?.replace(/\?.*/, '') ?? ''
    if (parent === import.meta.url) return next(specifier, context)
    if (['node:test', 'fast-check'].includes(specifier)) return { url: import.meta.url, shortCircuit: true }
    const resolved = next(specifier, context)
    importersOf.set(resolved.url, (importersOf.get(resolved.url) ?? new Set()).add(parent))
    return again.urls.has(resolved.url) ? { ...resolved, url: resolved.url + again.version } : resolved
  },
})

let registered: Tests = new Map()
let loadingFile = ''

/** Stands for `test` of node:test. */
export function test(name: string, run: () => unknown): void {
  const id = `${loadingFile}: ${name}`
  if (typeof run !== 'function') throw new Error(`${id}: options of tests are not known here`)
  if (registered.has(id)) throw new Error(`${id}: there are two of this name`)
  registered.set(id, run)
}

type Options = fc.Parameters<unknown>

/** Stands for fast-check. All mutants meet the same examples, and the smallest one that fails is not looked for. */
// oxlint-disable-next-line import/no-default-export
export default {
  ...fc,
  assert: (property: fc.IProperty<unknown>, { numRuns = EXAMPLES, ...options }: Options = {}) =>
    fc.assert(property, { ...options, numRuns: Math.min(numRuns, EXAMPLES), seed: 1, endOnFailure: true }),
}

/** All tests below the working directory. */
export const loadTests = (): Promise<Tests> => load(globSync('src/**/*.test.ts').map(urlOf))

/** Loads a file once more, with everything that imports it, and returns the tests in that. */
export async function loadAgain(file: string, version: string): Promise<Tests> {
  const urls = new Set([pathToFileURL(file).href])
  for (const url of urls) for (const importer of importersOf.get(url) ?? []) urls.add(importer)
  again = { version, urls }
  const tests = [...urls].filter((url) => url.endsWith('.test.ts'))
  return load(tests, version).finally(() => again.urls.clear())
}

async function load(urls: readonly string[], version = ''): Promise<Tests> {
  registered = new Map()
  for (const url of urls) {
    loadingFile = url.slice(urlOf('').length)
    await import(url + version)
  }
  return registered
}

const urlOf = (file: string): string => pathToFileURL(join(process.cwd(), file)).href
