import { ownerSettings, readConfig } from '@continuity/server/owner'
import type { World } from './command.ts'

/** A setting that the current command requires. Others may be missing. */
export function requireSetting(name: keyof typeof ownerSettings, env: World['env']): string {
  const read = readConfig({ value: ownerSettings[name] }, env)
  if (read.kind === 'rejected') throw new Error(read.faults.join('\n'))
  return read.config.value
}
