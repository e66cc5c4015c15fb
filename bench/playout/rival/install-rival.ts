import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folder = import.meta.dirname

export const isInstalled = (): boolean => existsSync(join(folder, 'node_modules/eyevinn-channel-engine'))

/**
 * Installs channel-engine beside its script only. With its dependencies it is larger than all of ours, and only this
 * bench uses it.
 */
export async function installRival(log: (line: string) => void): Promise<void> {
  if (isInstalled()) return
  log('installing channel-engine')
  const npm = process.env['npm_execpath']
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  await run(command, [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
}
