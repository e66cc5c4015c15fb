import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'

/** A file or folder that code finds by its own address: copied next to the bundle, and found there. */
interface FoundFile {
  readonly source: string
  /** The expression in the source, and the one of the bundle. */
  readonly expression: string
  readonly bundled: string
  /** What to copy, from the root, and its name next to the bundle. */
  readonly from: string
  readonly name: string
}

const FONT = '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'
const SCALAR = '@scalar/fastify-api-reference'

const foundFiles: readonly FoundFile[] = [
  {
    source: 'packages/server/src/platform/database/migrations.ts',
    expression: "join(import.meta.dirname, '../../../migrations')",
    bundled: "join(import.meta.dirname, 'migrations')",
    from: 'packages/server/migrations',
    name: 'migrations',
  },
  {
    source: 'packages/server/src/app/run-api.ts',
    expression: "join(import.meta.dirname, '../../../console/dist')",
    bundled: "join(import.meta.dirname, 'console')",
    from: 'packages/console/dist',
    name: 'console',
  },
  {
    source: 'packages/server/src/modules/assets/packaging/make-slate.ts',
    expression: `import.meta.resolve('${FONT}')`,
    bundled: "new URL('NotoSans_600SemiBold.ttf', import.meta.url)",
    from: `node_modules/${FONT}`,
    name: 'NotoSans_600SemiBold.ttf',
  },
  {
    source: 'packages/server/src/http/reference/scalar-script.ts',
    expression: `new URL('../package.json', import.meta.resolve('${SCALAR}'))`,
    bundled: "new URL('scalar-package.json', import.meta.url)",
    from: `node_modules/${SCALAR}/package.json`,
    name: 'scalar-package.json',
  },
]

const THREAD = /new URL\('(?:\.\/)?([a-z.-]+)\.ts', import\.meta\.url\)/g

export interface Beside {
  readonly plugin: Plugin
  /** What the code of the bundle needs next to it: file or folder by its name there. */
  readonly needed: ReadonlyMap<string, string>
}

/**
 * Bundles threads as programs of their own, and replaces what a source file finds by its own address. All
 * files of a bundle are in one folder, so that each finds the rest beside itself. An address that is not listed here fails the build: it would be wrong in the bundle.
 */
export function findBeside(root: string): Beside {
  const needed = new Map<string, string>()
  const packages = join(root, 'packages')
  const plugin: Plugin = {
    name: 'beside',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(packages) || !code.includes('import.meta.')) return undefined
      const path = relative(root, id)
      let text = code.replaceAll(THREAD, (_, name: string) => {
        this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` })
        return `new URL('${name}.js', ${OWN_ADDRESS})`
      })
      for (const { source, expression, bundled, from, name } of foundFiles) {
        if (source !== path || !text.includes(expression)) continue
        text = text.replace(expression, bundled.replace('import.meta.', OWN))
        needed.set(name, join(root, from))
      }
      if (text.includes('import.meta.'))
        throw new Error(`${path}: what is found by import.meta is not listed`)
      return text.replaceAll(OWN, 'import.meta.')
    },
  }
  return { plugin, needed }
}

/** Stands for `import.meta.` while the rest is looked for. */
const OWN = '__ownMeta__'
const OWN_ADDRESS = `${OWN}url`
