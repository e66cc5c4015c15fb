import type { ownerSettings } from '@continuity/server/owner'
import type { World } from './command.ts'
import { loadOwner } from './load-owner.ts'

/** A setting that the current command requires. Others may be missing. */
export async function requireSetting(name: keyof typeof ownerSettings, env: World['env']): Promise<string> {
  const owner = await loadOwner()
  const read = owner.readConfig({ value: owner.ownerSettings[name] }, env)
  if (read.kind === 'rejected') throw new Error(read.faults.join('\n'))
  return read.config.value
}
