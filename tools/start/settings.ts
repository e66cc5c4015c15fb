import { join, resolve } from 'node:path'
import type { StackOptions } from '@continuity/dev/stack'
import { settings } from '@continuity/server/owner'

export type Settings = Omit<StackOptions, 'log' | 'signal'>

export type SettingsResult =
  | { readonly kind: 'read'; readonly settings: Settings }
  | { readonly kind: 'rejected'; readonly faults: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

/** What a person sets for the processes themselves, and what programs need to find their way. */
const PASSED_ON = [
  ...[settings.api, settings.worker, settings.playout].flatMap((list) =>
    Object.values(list).map(({ name }) => name),
  ),
  'PATH',
  'HOME',
  'TZ',
]

/** Reads the settings of `npm start`, and reports all errors together. An empty value counts as none. */
export function readSettings(env: Environment, projectFolder: string): SettingsResult {
  const given = (name: string) => env[name] || undefined
  const faults: string[] = []
  const port = given('PORT') ?? '8080'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    faults.push(`PORT must be a whole number from 0 (any free port) to 65535, not "${port}"`)
  }
  const databaseUrl = given('DATABASE_URL')
  if (databaseUrl && !hasScheme(databaseUrl, ['postgres:', 'postgresql:'])) {
    faults.push('DATABASE_URL must be an address that begins with postgres://')
  }
  const databaseOwnerUrl = given('DATABASE_OWNER_URL')
  if ((databaseUrl === undefined) !== (databaseOwnerUrl === undefined)) {
    faults.push('DATABASE_URL (the service) and DATABASE_OWNER_URL (the owner of the schema) go together')
  }
  const natsUrl = given('NATS_URL')
  if (natsUrl && !hasScheme(natsUrl, ['nats:'])) {
    faults.push('NATS_URL must be an address that begins with nats://')
  }
  if (faults.length > 0) return { kind: 'rejected', faults }
  return {
    kind: 'read',
    settings: {
      home: resolve(given('CONTINUITY_HOME') ?? join(projectFolder, '.continuity')),
      port: Number(port),
      databaseUrl,
      databaseOwnerUrl,
      natsUrl,
      pgBinDir: given('PG_BIN_DIR'),
      searchPath: given('PATH') ?? '',
      settings: pickGiven(env, PASSED_ON),
    },
  }
}

function hasScheme(text: string, schemes: readonly string[]): boolean {
  return URL.canParse(text) && schemes.includes(new URL(text).protocol)
}

function pickGiven(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
