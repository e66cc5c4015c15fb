import type { KeyState } from '@continuity/server/owner'
import { type Command, command, type World } from './terminal/command.ts'
import { loadOwner } from './terminal/load-owner.ts'
import { requireSetting } from './terminal/require-setting.ts'
import { table } from './terminal/table.ts'

/** The files and the texts of one kind of keys. */
interface KeyFiles {
  readonly kind: 'credentialKeys' | 'feedKeys'
  readonly path: (env: World['env']) => Promise<string>
  readonly publicPath?: (env: World['env']) => Promise<string>
  readonly about: string
  readonly afterRotation: string
}

const ofCredentials: KeyFiles = {
  kind: 'credentialKeys',
  path: (env) => requireSetting('credentialKeysFile', env),
  about: 'the keys that sign credentials',
  afterRotation: 'Running processes reload the keys; nothing has to be restarted.',
}

const ofFeed: KeyFiles = {
  kind: 'feedKeys',
  path: (env) => requireSetting('feedKeysFile', env),
  publicPath: (env) => requireSetting('feedPublicKeysFile', env),
  about: 'the keys that sign the feed',
  afterRotation:
    'Copy FEED_PUBLIC_KEYS_FILE to every playout node before the new key signs. Nothing has to be restarted.',
}

const listKeys = (name: string, { kind, path, about }: KeyFiles) =>
  command({
    name: `${name} list`,
    about: `List ${about}, without the keys themselves`,
    options: {},
    run: async ({ world }) => {
      const { [kind]: keys } = await loadOwner()
      const read = await keys.read(await path(world.env))
      if (read.kind === 'rejected') throw new Error(read.fault)
      return shown(keys.describe(read.file, world.nowMs))
    },
  })

const rotateKeys = (name: string, { kind, path, publicPath, afterRotation }: KeyFiles) =>
  command({
    name: `${name} rotate`,
    about: 'Create a new signing key, and remove keys that are no longer needed',
    options: {},
    run: async ({ world: { env, nowMs } }) => {
      const { [kind]: keys } = await loadOwner()
      const rotation = await keys.rotateFile(await path(env), nowMs, await publicPath?.(env))
      if (rotation.kind === 'rejected') throw new Error(rotation.fault)
      const { text, json } = shown(rotation.keys)
      return { text: `${text}\n\n${afterRotation}`, json }
    },
  })

const createKeys = (name: string, { kind, path, publicPath }: KeyFiles, about: string) =>
  command({
    name: `${name} create`,
    about,
    options: {},
    run: async ({ world: { env, nowMs } }) => {
      const { [kind]: keys } = await loadOwner()
      const created = await keys.createFile(await path(env), nowMs, await publicPath?.(env))
      if (created.kind === 'rejected') throw new Error(created.fault)
      return shown(created.keys)
    },
  })

export const keyCommands: readonly Command[] = [
  createKeys('keys', ofCredentials, 'Create the first key that signs credentials, in a new file'),
  listKeys('keys', ofCredentials),
  rotateKeys('keys', ofCredentials),
  createKeys(
    'feed-keys',
    ofFeed,
    'Create the first key that signs the feed, and the file with its public key',
  ),
  listKeys('feed-keys', ofFeed),
  rotateKeys('feed-keys', ofFeed),
]

function shown(keys: readonly KeyState[]) {
  const json = keys.map(({ kid, state, createdMs, signsFromMs }) => ({
    kid,
    state: state.toUpperCase(),
    created_date: toTimestamp(createdMs),
    signs_from: toTimestamp(signsFromMs),
  }))
  const rows = json.map(({ kid, state, created_date, signs_from }) => [kid, state, created_date, signs_from])
  return { text: table(['key', 'state', 'created', 'signs from'], rows), json }
}

const toTimestamp = (ms: number) => new Date(ms).toISOString()
