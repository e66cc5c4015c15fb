import { ownerSettings, readConfig } from '@continuity/server/owner'
import type { World } from './command.ts'

/** A setting that the command at hand cannot do without. The others may be missing. */
export function requireSetting(name: keyof typeof ownerSettings, env: World['env']): string {
  const read = readConfig({ value: ownerSettings[name] }, env)
  if (read.kind === 'refused') throw new Error(read.faults.join('\n'))
  return read.config.value
}
