import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'

/**
 * Puts the binaries of other platforms into the lock file.
 *
 * A registry's mirror may not hold them. npm then leaves them out of the lock
 * silently, and `npm ci` rejects that lock file afterwards. They are never
 * installed here; where they are, they come by name and exact version.
 */
interface LockEntry {
  readonly version?: string
  readonly dev?: boolean
  readonly license?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export function completeLock(lock: { packages: Record<string, LockEntry> }): string[] {
  const added: string[] = []
  for (const [parent, { dev, license, optionalDependencies }] of Object.entries(lock.packages)) {
    if (!parent.startsWith('node_modules/')) continue
    for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
      const path = `node_modules/${name}`
      const platform = platformOf(name)
      if (lock.packages[path] !== undefined || platform === undefined) continue
      // They are parts of their parent, under its licence.
      const shared = { ...(dev === true ? { dev } : {}), ...(license === undefined ? {} : { license }) }
      lock.packages[path] = { version, ...shared, optional: true, ...platform }
      added.push(path)
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return added
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

/** Such packages are named by the machine that they are for. */
function platformOf(name: string): { os?: string[]; cpu: string[]; libc?: string[] } | undefined {
  const words = name.split(/[-/]/)
  if (words.includes('wasm32')) return { cpu: ['wasm32'] }
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  if (os === undefined || cpu === undefined) return undefined
  return {
    os: [os],
    cpu: [cpu],
    ...(words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}),
  }
}

if (import.meta.main) {
  const path = join(projectRoot, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockEntry> }
  const added = completeLock(lock)
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(added.length === 0 ? 'the lock file is complete' : `added ${added.length}: ${added.join(', ')}`)
}
