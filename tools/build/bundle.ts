import { builtinModules } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'vite'

export interface BundleOptions {
  /** The folder of the project. */
  readonly root: string
  readonly outDir: string
  /** Source files from the root, by the name of the file that is made of each. */
  readonly entries: Readonly<Record<string, string>>
  /** The oldest Node that runs it, such as `node24`. */
  readonly target: string
  readonly plugins: readonly Plugin[]
}

export interface Bundle {
  /** All files that a part of was included, third-party ones too. */
  readonly sources: readonly string[]
}

/** Bundles programs with all their dependencies; what they share and what they load later are files of their own. */
export async function bundle({ root, outDir, entries, target, plugins }: BundleOptions): Promise<Bundle> {
  // Only here: loading it takes longer than most tests.
  const { build } = await import('vite')
  const result = await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [...plugins],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      target,
      minify: false,
      emptyOutDir: false,
      copyPublicDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
        // Names of classes and functions are in logs and errors.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', keepNames: true },
      },
    },
  })
  if (!('output' in result)) throw new Error('the bundler returned no single output')
  const chunks = result.output.filter((file) => file.type === 'chunk')
  const made = new Set(chunks.map(({ fileName }) => fileName))
  const missing = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !made.has(name) && !isBuiltIn(name))
  if (missing.length > 0) throw new Error(`not in the bundle: ${[...new Set(missing)].join(', ')}`)
  return { sources: [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds))] }
}

const isBuiltIn = (name: string) => name.startsWith('node:') || builtinModules.includes(name)
