import { readFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface SourceManifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  /** Sources by the name that they are imported under. */
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The oldest Node that the published packages are tested with. */
export const PACKAGE_NODE = '22'

const own = {
  contract: library,
  client: library,
  'playlist-validator': (manifest) => ({
    ...library(manifest),
    bin: { 'playlist-validator': 'dist/bin.js' },
  }),
  // Everything is in the bundle.
  cli: () => ({ bin: { continuity: 'dist/continuity.js' } }),
} satisfies Record<string, (manifest: SourceManifest) => object>

export type PublishedPackage = keyof typeof own

/** Writes what a package has besides its code: the manifest, the README and the licence. */
export async function writePackage(root: string, outDir: string, name: PublishedPackage): Promise<void> {
  const source = join(root, 'packages', name)
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as SourceManifest
  const { version, description, license } = manifest
  const published = {
    name: manifest.name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: `>=${PACKAGE_NODE}` },
    files: ['dist'],
    ...own[name](manifest),
  }
  const folder = join(outDir, name)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'))
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** What is exported for tests of this project is not published. */
function library({ exports, dependencies }: SourceManifest) {
  const entries = Object.entries(exports).filter(([path]) => !path.startsWith('./testing/'))
  const published = entries.map(([path, source]) => {
    const compiled = source.replace(/^\.\/src\/(.+)\.ts$/, './dist/$1')
    return [path, { types: `${compiled}.d.ts`, default: `${compiled}.js` }] as const
  })
  return { exports: Object.fromEntries(published), types: './dist/index.d.ts', dependencies }
}
