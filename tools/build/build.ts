import { readFileSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'
import { ensureConsole } from '../console/build.ts'
import { findBeside } from './beside-plugin.ts'
import { bundle } from './bundle.ts'
import { compileLibraries, libraries } from './compile-libraries.ts'
import { PACKAGE_NODE, writePackage } from './package-folder.ts'
import { printLicences } from './third-party.ts'

const THIRD_PARTY = 'THIRD-PARTY-LICENSES.txt'

/** Builds the packages and the server processes into `outDir`, which is replaced. */
async function buildAll(root: string, outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  await buildLibraries(root, outDir)
  await buildCli(root, outDir)
  await buildServer(root, join(outDir, 'server'))
}

async function buildLibraries(root: string, outDir: string): Promise<void> {
  for (const name of libraries) await mkdir(join(outDir, name))
  await compileLibraries(root, outDir)
  for (const name of libraries) await writePackage(root, outDir, name)
}

async function buildCli(root: string, outDir: string): Promise<void> {
  const entries = { continuity: 'packages/cli/src/continuity.ts' }
  await bundlePrograms(root, join(outDir, 'cli/dist'), entries, `node${PACKAGE_NODE}`)
  await writePackage(root, outDir, 'cli')
}

const PROCESSES = ['api', 'worker', 'playout', 'receiver'] as const

async function buildServer(root: string, outDir: string): Promise<void> {
  await ensureConsole()
  const entries = Object.fromEntries(PROCESSES.map((name) => [name, `packages/server/src/bin/${name}.ts`]))
  const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string
    readonly engines: object
  }
  await bundlePrograms(root, outDir, entries, 'node24')
  const manifest = { name: '@continuity/server', version, private: true, type: 'module', engines }
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Bundles programs together with their threads, and copies the files that they read. */
async function bundlePrograms(
  root: string,
  outDir: string,
  programs: Readonly<Record<string, string>>,
  target: string,
): Promise<void> {
  const beside = findBeside(root)
  const { sources } = await bundle({ root, outDir, entries: programs, target, plugins: [beside.plugin] })
  for (const [name, from] of beside.needed) await cp(from, join(outDir, name), { recursive: true })
  await writeFile(join(outDir, THIRD_PARTY), printLicences(sources))
}

if (import.meta.main) {
  const startMs = performance.now()
  const folder = process.argv[2] ?? 'dist'
  await buildAll(projectRoot, resolve(projectRoot, folder))
  console.log(`built into ${folder}, ${((performance.now() - startMs) / 1_000).toFixed(1)} s`)
}
