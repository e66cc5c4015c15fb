import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from './bundle.ts'

const ENTRIES = ['api', 'worker', 'playout', 'receiver']
const CACHE = 'node_modules/.cache/continuity-servers'
const KEPT_MS = 24 * 3_600_000

/**
 * The folder with the four server processes, each bundled with its dependencies; it is built once for the same sources.
 * Loading a thousand modules is most of what the start of a process costs, and a run of tests starts hundreds.
 */
export async function ensureServerBundle(root: string): Promise<string> {
  const cache = join(root, CACHE)
  const folder = join(cache, digestSources(root))
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  await removeOld(cache)
  const work = await mkdtemp(join(cache, 'new-'))
  try {
    await bundle({
      root,
      outDir: join(work, 'servers'),
      entries: Object.fromEntries(ENTRIES.map((name) => [name, `packages/server/src/bin/${name}.ts`])),
      target: 'node24',
      plugins: [keepPlaces(join(root, 'packages'))],
    })
    // Another run was faster: its result is the same.
    await rename(join(work, 'servers'), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return folder
}

function digestSources(root: string): string {
  const paths = globSync('packages/{client,contract,core,server}/{package.json,src/**/*.{ts,json}}', {
    cwd: root,
  })
  const digest = createHash('sha256')
  const own = ['tools/build/server-bundle.ts', 'tools/build/bundle.ts']
  for (const path of ['package-lock.json', ...own, ...paths.toSorted()]) {
    // The path of the project is part of the bundle.
    digest.update(`${join(root, path)}\0`).update(readFileSync(join(root, path)))
  }
  return digest.digest('hex').slice(0, 16)
}

/** Files that a module finds beside itself, such as migrations, are still beside its source. */
function keepPlaces(packages: string) {
  return {
    name: 'keep-places',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | undefined {
      if (!id.startsWith(packages) || !code.includes('import.meta.')) return undefined
      return code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    },
  }
}

async function removeOld(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name))
    if (Date.now() - mtimeMs > KEPT_MS) await rm(join(cache, name), { recursive: true, force: true })
  }
}

if (import.meta.main) console.log(await ensureServerBundle(process.cwd()))
