import { type ConfigResult, readConfig } from '../platform/config/read-config.ts'
import { findMediaFaults } from '../platform/media-store/open-media-store.ts'
import { playoutSettings } from './playout-settings.ts'

/** The settings of a playout node, each by itself and those that go together. */
export function readPlayoutConfig(
  env: Readonly<Record<string, string | undefined>>,
): ConfigResult<typeof playoutSettings> {
  const result = readConfig(playoutSettings, env)
  if (result.kind === 'refused') return result
  const faults = findMediaFaults(result.config)
  return faults.length === 0 ? result : { kind: 'refused', faults }
}
