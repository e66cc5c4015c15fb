import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { projectRoot } from '@continuity/dev/project-root'

const folder = join(projectRoot, 'packages/console')
const built = join(folder, 'dist')

/** In the built console: the digest of what it was built from. */
const STAMP = 'sources.sha256'

/**
 * Builds the console, unless it was built from the same sources. Several processes may do it at the same time: each
 * builds in a folder of its own and renames it, and all of them have the same result.
 */
export async function ensureConsole(): Promise<'built' | 'unchanged'> {
  const digest = digestSources()
  const stamp = await readFile(join(built, STAMP), 'utf8').catch(() => '')
  if (stamp === digest) return 'unchanged'
  const work = await mkdtemp(join(folder, 'dist-'))
  try {
    await bundleInto(join(work, 'new'))
    await writeFile(join(work, 'new', STAMP), digest)
    if (existsSync(built)) await rename(built, join(work, 'old')).catch(() => undefined)
    // Another process was faster: its result is as good.
    await rename(join(work, 'new'), built).catch((error: unknown) => {
      if (!existsSync(join(built, STAMP))) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return 'built'
}

function digestSources(): string {
  const paths = globSync('packages/{console,client,contract,core}/{src/**/*.{ts,tsx,css,svg},index.html}', {
    cwd: projectRoot,
  })
  const digest = createHash('sha256')
  for (const path of ['package-lock.json', 'tools/console/build.ts', ...paths.toSorted()]) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(projectRoot, path)))
      .update('\0')
  }
  return digest.digest('hex')
}

async function bundleInto(outDir: string): Promise<void> {
  // Only here: a console that is built already needs no bundler.
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: folder,
    base: '/console/',
    logLevel: 'error',
    // Files would be inlined as data: addresses, which the content security policy does not allow.
    build: { outDir, assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
  })
  const names = await readdir(outDir, { recursive: true })
  await Promise.all(
    names
      .filter((name) => /\.(?:js|css|svg)$/.test(name))
      .map(async (name) => {
        const bytes = await readFile(join(outDir, name))
        await writeFile(join(outDir, `${name}.gz`), await compress(bytes, { level: 9 }))
      }),
  )
}

const compress = promisify<Buffer, { level: number }, Buffer>(gzip)

if (import.meta.main) {
  const startMs = performance.now()
  const result = await ensureConsole()
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1)
  console.log(result === 'built' ? `the console is built, ${seconds} s` : 'the console is up to date')
}
