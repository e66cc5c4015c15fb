import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folder = import.meta.dirname

export const isInstalled = (): boolean => existsSync(join(folder, 'node_modules/eyevinn-channel-engine'))

/**
 * Installs channel-engine beside its script, and nowhere else. With what it needs it is larger than everything that we
 * depend on, and only this bench has a use for it.
 */
export async function installRival(say: (line: string) => void): Promise<void> {
  if (isInstalled()) return
  say('installing channel-engine')
  const npm = process.env['npm_execpath']
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  await run(command, [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
}
