import { describeKeys, type KeyState, readCredentialKeys, rotateKeysFile } from '@continuity/server/owner'
import { type Command, command } from './command.ts'
import { requireSetting } from './require-setting.ts'
import { table } from './table.ts'

const listKeys = command({
  name: 'keys list',
  about: 'List the keys that sign credentials, without the keys themselves',
  options: {},
  run: async ({ world }) => {
    const read = await readCredentialKeys(requireSetting('credentialKeysFile', world.env))
    if (read.kind === 'refused') throw new Error(read.fault)
    return shown(describeKeys(read.file, world.nowMs))
  },
})

const rotateKeys = command({
  name: 'keys rotate',
  about: 'Make a new key that signs, and drop those that are not needed any longer',
  options: {},
  run: async ({ world }) => {
    const rotation = await rotateKeysFile(requireSetting('credentialKeysFile', world.env), world.nowMs)
    if (rotation.kind === 'refused') throw new Error(rotation.fault)
    const { text, json } = shown(rotation.keys)
    return { text: `${text}\n\nRunning processes follow by themselves; nothing has to be restarted.`, json }
  },
})

export const keyCommands: readonly Command[] = [listKeys, rotateKeys]

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
