import { credentialKeys, feedKeys, type KeyState, type SigningKeys } from '@continuity/server/owner'
import { type Command, command, type World } from './terminal/command.ts'
import { requireSetting } from './terminal/require-setting.ts'
import { table } from './terminal/table.ts'

/** The files and the texts of one kind of keys. */
interface KeyFiles {
  readonly kind: SigningKeys
  readonly path: (env: World['env']) => string
  readonly publicPath?: (env: World['env']) => string
  readonly about: string
  readonly afterRotation: string
}

const ofCredentials: KeyFiles = {
  kind: credentialKeys,
  path: (env) => requireSetting('credentialKeysFile', env),
  about: 'the keys that sign credentials',
  afterRotation: 'Running processes reload the keys; nothing has to be restarted.',
}

const ofFeed: KeyFiles = {
  kind: feedKeys,
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
      const read = await kind.read(path(world.env))
      if (read.kind === 'rejected') throw new Error(read.fault)
      return shown(kind.describe(read.file, world.nowMs))
    },
  })

const rotateKeys = (name: string, { kind, path, publicPath, afterRotation }: KeyFiles) =>
  command({
    name: `${name} rotate`,
    about: 'Create a new signing key, and remove keys that are no longer needed',
    options: {},
    run: async ({ world: { env, nowMs } }) => {
      const rotation = await kind.rotateFile(path(env), nowMs, publicPath?.(env))
      if (rotation.kind === 'rejected') throw new Error(rotation.fault)
      const { text, json } = shown(rotation.keys)
      return { text: `${text}\n\n${afterRotation}`, json }
    },
  })

const createFeedKeys = command({
  name: 'feed-keys create',
  about: 'Create the first key that signs the feed, and the file with its public key',
  options: {},
  run: async ({ world: { env, nowMs } }) => {
    const created = await feedKeys.createFile(ofFeed.path(env), nowMs, ofFeed.publicPath?.(env))
    if (created.kind === 'rejected') throw new Error(created.fault)
    return shown(created.keys)
  },
})

export const keyCommands: readonly Command[] = [
  listKeys('keys', ofCredentials),
  rotateKeys('keys', ofCredentials),
  createFeedKeys,
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
