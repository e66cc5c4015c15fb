import {
  type ConfigOf,
  type ConfigResult,
  readConfig,
  type Settings,
} from '../platform/config/read-config.ts'
import { findMediaFaults } from '../platform/media-store/open-media-store.ts'
import type { mediaSettings } from './media-settings.ts'

/** The settings of a process that reads or writes media, checked individually and in combination. */
export function readMediaConfig<S extends Settings & typeof mediaSettings>(
  settings: S,
  env: Readonly<Record<string, string | undefined>>,
): ConfigResult<S> {
  const result = readConfig(settings, env)
  if (result.kind === 'rejected') return result
  // The compiler cannot infer the values of generic settings.
  const faults = findMediaFaults(result.config as ConfigOf<typeof mediaSettings>)
  return faults.length === 0 ? result : { kind: 'rejected', faults }
}
