import { type ConfigResult, readConfig } from '../platform/config/read-config.ts'
import { findMediaFaults } from '../platform/media-store/open-media-store.ts'
import { workerSettings } from './worker-settings.ts'

/** The settings of a worker, each by itself and those that go together. */
export function readWorkerConfig(
  env: Readonly<Record<string, string | undefined>>,
): ConfigResult<typeof workerSettings> {
  const result = readConfig(workerSettings, env)
  if (result.kind === 'refused') return result
  const faults = findMediaFaults(result.config)
  return faults.length === 0 ? result : { kind: 'refused', faults }
}
