import type { Setting } from './setting.ts'

export type Settings = Readonly<Record<string, Setting<unknown>>>

export type ConfigOf<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never
}

export type ConfigResult<S extends Settings> =
  | { readonly kind: 'read'; readonly config: ConfigOf<S> }
  | { readonly kind: 'rejected'; readonly faults: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

/** Reads every setting and reports all faults together, so that one round fixes them all. */
export function readConfig<S extends Settings>(settings: S, env: Environment): ConfigResult<S> {
  const faults: string[] = []
  const config: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(settings)) {
    const read = readSetting(setting, env)
    if ('fault' in read) faults.push(read.fault)
    else config[key] = read.value
  }
  if (faults.length > 0) return { kind: 'rejected', faults }
  return { kind: 'read', config: config as ConfigOf<S> }
}

function readSetting(setting: Setting<unknown>, env: Environment): { value: unknown } | { fault: string } {
  const given = givenTo(setting, env)
  if (given === undefined) {
    if (setting.fallback !== undefined) return { value: setting.fallback }
    return { fault: `${setting.name} is not set: ${setting.about} (${setting.form})` }
  }
  const parsed = setting.parse(given)
  if ('value' in parsed) return parsed
  const shown = setting.isSecret ? '' : `, not "${given}"`
  return { fault: `${setting.name} ${parsed.fault}${shown}` }
}

export interface SettingDescription {
  readonly name: string
  readonly about: string
  readonly form: string
  readonly fallback: string
  readonly value: string
}

/** The purpose and the current value of each setting; secrets are hidden. */
export function describeConfig(settings: Settings, env: Environment): SettingDescription[] {
  return Object.values(settings).map((setting) => ({
    name: setting.name,
    about: setting.about,
    form: setting.form,
    fallback: setting.fallback === undefined ? 'required' : print(setting.fallback),
    value: shownValue(setting, env),
  }))
}

function shownValue(setting: Setting<unknown>, env: Environment): string {
  const read = readSetting(setting, env)
  const isGiven = givenTo(setting, env) !== undefined
  if ('fault' in read) return isGiven ? 'invalid' : 'missing'
  if (setting.isSecret && isGiven) return '(hidden)'
  return print(read.value)
}

/** An empty variable counts as unset: a compose file cannot leave one out. */
function givenTo(setting: Setting<unknown>, env: Environment): string | undefined {
  const given = env[setting.name]
  return given === '' ? undefined : given
}

const print = (value: unknown) => (Array.isArray(value) ? value.join(',') : `${value as string | number}`)
