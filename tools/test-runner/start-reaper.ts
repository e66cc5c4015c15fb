import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'

export interface Reaper {
  /** The folder of this run: processes that mention it belong to the run. */
  readonly folder: string
  readonly process: ChildProcess & { readonly stdin: Writable }
}

/** Makes a folder for this run, and starts the process that ends what the run leaves, whatever ends the run. */
export async function startReaper(): Promise<Reaper> {
  // Short: the paths of sockets inside are limited to 107 bytes. Servers that run as another user pass through it.
  const folder = await mkdtemp(join(tmpdir(), 'ct-'))
  await chmod(folder, 0o755)
  const reaper = spawn(process.execPath, [join(import.meta.dirname, 'reaper.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return { folder, process: reaper }
}

/** Gives this process a temporary folder that ends with it, and with it every process that it has started. */
export async function reapAtExit(): Promise<void> {
  // Inside of a test run, its runner does it.
  if (process.env['TMPDIR'] !== undefined) return
  const { folder, process: reaper } = await startReaper()
  process.env['TMPDIR'] = folder
  reaper.unref()
  // Open until this process has ended, without keeping it alive.
  const stdin = reaper.stdin as Writable & { unref(): void }
  stdin.unref()
}
