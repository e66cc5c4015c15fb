import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'

/** Licences that let the project be used and passed on under its own. */
export const allowedLicences: readonly string[] = [
  'MIT',
  'MIT-0',
  'MIT AND OFL-1.1', // a font
  'MIT OR Apache-2.0',
  '(MIT OR CC0-1.0)',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
]

/**
 * Programs that build or test and are not passed on, neither in a release nor in the built console. Their licence
 * applies to changes of themselves only.
 */
export const allowedTools: Readonly<Record<string, RegExp>> = {
  'MPL-2.0': /^node_modules\/(?:axe-core|lightningcss(?:-[a-z0-9-]+)?)$/,
}

/** The licence of everything in the lock file, our own packages left out. */
export function findLicences(): { name: string; licence: string }[] {
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { license?: string; link?: boolean }>
  }
  return Object.entries(lock.packages)
    .filter(([path]) => path.startsWith('node_modules/') && !path.startsWith('node_modules/@continuity/'))
    .map(([path, { license }]) => ({ name: path, licence: license ?? licenceOfFolder(path) }))
}

function licenceOfFolder(path: string): string {
  const file = join(projectRoot, path, 'package.json')
  if (!existsSync(file)) return 'unknown'
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as {
    license?: string
    /** As it was written until 2014. */
    licenses?: readonly { type?: string }[]
  }
  return license ?? licenses?.map(({ type }) => type ?? 'unknown').join(' AND ') ?? 'unknown'
}
