import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRoot } from './system-user.ts'

export async function makeHome(home: string): Promise<void> {
  // Root's database runs as another user, who must be able to pass through.
  await mkdir(home, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  await mkdir(join(home, 'logs'), { recursive: true, mode: 0o700 })
}
