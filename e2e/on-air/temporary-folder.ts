import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A home folder for processes, deleted with the stack. */
export async function temporaryFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-on-air-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'logs'))
  return folder
}
