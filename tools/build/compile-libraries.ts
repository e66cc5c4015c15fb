import { execFile } from 'node:child_process'
import { glob, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const libraries = ['contract', 'client', 'playlist-validator'] as const

/**
 * Compiles the libraries, module by module, into `dist` of their folders in `outDir`. Only what their index imports is
 * compiled, which leaves tests out.
 */
export async function compileLibraries(root: string, outDir: string): Promise<void> {
  const work = await mkdtemp(join(outDir, 'compiled-'))
  try {
    await compile(root, work)
    await renameImports(work)
    for (const name of libraries) await rename(join(work, name, 'src'), join(outDir, name, 'dist'))
  } finally {
    await rm(work, { recursive: true })
  }
}

async function compile(root: string, outDir: string): Promise<void> {
  const program = join(root, 'node_modules/.bin/tsc')
  try {
    await promisify(execFile)(program, ['-p', join(root, 'tools/build'), '--outDir', outDir])
  } catch (error) {
    // It prints faults to standard output.
    throw new Error(`tsc failed:\n${(error as { stdout?: string }).stdout}`, { cause: error })
  }
}

/** tsc renames the imports of code only. Tools other than tsc find no declarations of `./a.ts`. */
async function renameImports(folder: string): Promise<void> {
  for await (const name of glob('**/*.d.ts', { cwd: folder })) {
    const text = await readFile(join(folder, name), 'utf8')
    await writeFile(
      join(folder, name),
      text.replaceAll(/((?:from |import\()['"]\.[^'"]+)\.ts(?=['"])/g, '$1.js'),
    )
  }
}
