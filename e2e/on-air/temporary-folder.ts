import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A home for processes, that is gone when everything has ended. */
export async function temporaryFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-on-air-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'logs'))
  return folder
}
