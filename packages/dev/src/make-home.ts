import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRoot } from './system-user.ts'

export async function makeHome(home: string): Promise<void> {
  // Root's database runs as another user, who must be able to pass through.
  await mkdir(home, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  await mkdir(join(home, 'logs'), { recursive: true, mode: 0o700 })
  // A media store never makes its own folder: a disk that is not mounted must not look like an empty one.
  await mkdir(mediaFolder(home), { recursive: true, mode: 0o700 })
  await mkdir(scratchFolder(home), { recursive: true, mode: 0o700 })
}

/** The folder of packaged media. */
export const mediaFolder = (home: string) => join(home, 'media')

/** Where workers keep what is on its way there. */
export const scratchFolder = (home: string) => join(home, 'scratch')
