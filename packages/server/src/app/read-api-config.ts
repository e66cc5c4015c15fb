import { credentialKeys } from '../modules/auth/index.ts'
import { type ConfigOf, readConfig } from '../platform/config/read-config.ts'
import { readSecretKeys } from '../platform/crypto/secret-box.ts'
import { feedKeys } from '../platform/feed/feed-keys.ts'
import { type IpCountries, readIpCountries } from '../platform/geo/ip-countries.ts'
import { apiSettings } from './api-settings.ts'

export interface ApiConfig extends ConfigOf<typeof apiSettings> {
  /** Read from `ipCountriesFile`, where one is set. */
  readonly ipCountries: IpCountries | undefined
}

export type ApiConfigResult =
  | { readonly kind: 'read'; readonly config: ApiConfig }
  | { readonly kind: 'rejected'; readonly faults: readonly string[] }

/** The settings of the API and the files that they name; all faults are reported together. */
export async function readApiConfig(
  env: Readonly<Record<string, string | undefined>>,
): Promise<ApiConfigResult> {
  const settings = readConfig(apiSettings, env)
  const keys = await readNamed(env[apiSettings.credentialKeysFile.name], credentialKeys.read)
  const feed = await readNamed(env[apiSettings.feedKeysFile.name], feedKeys.read)
  const secrets = await readNamed(env[apiSettings.secretKeysFile.name], readSecretKeys)
  const countries = await readNamed(env[apiSettings.ipCountriesFile.name], readIpCountries)
  const faults = [
    ...(settings.kind === 'rejected' ? settings.faults : []),
    ...(keys?.kind === 'rejected' ? [keys.fault] : []),
    ...(feed?.kind === 'rejected' ? [feed.fault] : []),
    ...(secrets?.kind === 'rejected' ? [secrets.fault] : []),
    ...(countries?.kind === 'rejected' ? [`${apiSettings.ipCountriesFile.name} ${countries.fault}`] : []),
  ]
  if (settings.kind === 'rejected' || faults.length > 0) return { kind: 'rejected', faults }
  const ipCountries = countries?.kind === 'read' ? countries.ipCountries : undefined
  return { kind: 'read', config: { ...settings.config, ipCountries } }
}

async function readNamed<T>(
  path: string | undefined,
  read: (path: string) => Promise<T>,
): Promise<T | undefined> {
  return path === undefined || path === '' ? undefined : read(path)
}
