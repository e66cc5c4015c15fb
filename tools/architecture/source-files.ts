import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'

export interface SourceFile {
  /** From the project's root. */
  readonly path: string
  readonly text: string
  /** What it imports: a path from the root, or a package's name. */
  readonly imports: readonly string[]
}

const isTest = (path: string) => path.endsWith('.test.ts') || path.includes('/testing/')

/** The code of the packages, tests left out. */
export function readSourceFiles(root = projectRoot): SourceFile[] {
  const paths = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !isTest(path))
  return paths.toSorted().map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, imports: findImports(text).map((target) => resolveImport(path, target)) }
  })
}

const IMPORT = /^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'/gm
const DYNAMIC_IMPORT = /\bimport\(\s*'([^']+)'/g

export function findImports(text: string): string[] {
  return [...text.matchAll(IMPORT), ...text.matchAll(DYNAMIC_IMPORT)].map((match) => match[1]!)
}

function resolveImport(from: string, target: string): string {
  return target.startsWith('.') ? relative('.', join(dirname(from), target)) : target
}

/** The declared dependencies of a package of ours; hoisted ones do not count. */
export function dependenciesOf(name: string): string[] {
  const text = readFileSync(join(projectRoot, 'packages', name, 'package.json'), 'utf8')
  const { dependencies } = JSON.parse(text) as { dependencies?: Record<string, string> }
  return Object.keys(dependencies ?? {})
}
