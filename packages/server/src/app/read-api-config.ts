import { readCredentialKeys, type SigningKey } from '../modules/auth/index.ts'
import { type ConfigOf, readConfig } from '../platform/config/read-config.ts'
import { apiSettings } from './api-settings.ts'

export interface ApiConfig extends ConfigOf<typeof apiSettings> {
  /** Read from `credentialKeysFile`. */
  readonly keys: ReadonlyMap<string, SigningKey>
}

export type ApiConfigResult =
  | { readonly kind: 'read'; readonly config: ApiConfig }
  | { readonly kind: 'refused'; readonly faults: readonly string[] }

/** The settings of the API and the file that they name; the faults of both are told together. */
export async function readApiConfig(
  env: Readonly<Record<string, string | undefined>>,
): Promise<ApiConfigResult> {
  const settings = readConfig(apiSettings, env)
  const path = env[apiSettings.credentialKeysFile.name]
  const keys = path === undefined || path === '' ? undefined : await readCredentialKeys(path)
  if (settings.kind === 'read' && keys?.kind === 'read') {
    return { kind: 'read', config: { ...settings.config, keys: keys.keys } }
  }
  const faults = settings.kind === 'refused' ? settings.faults : []
  return { kind: 'refused', faults: keys?.kind === 'refused' ? [...faults, keys.fault] : faults }
}
