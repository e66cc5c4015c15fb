import { type Command, ownerCommand } from './terminal/command.ts'
import type { AppKey } from './terminal/owner-actions.ts'
import { readTitle } from './terminal/read-text.ts'
import { fields, table } from './terminal/table.ts'

const account = { value: 'NAME', about: 'account of the app', isRequired: true } as const

const createAppKey = ownerCommand({
  name: 'app-keys create',
  about: 'Create a key that an app registers its devices with',
  options: {
    account,
    'app-name': {
      value: 'APP',
      about: 'name of the app; several keys may have the same',
      isRequired: true,
      read: readTitle,
    },
  },
  act: async (actions, { options }) => {
    const key = await actions.createAppKey(options.account, options['app-name'])
    const lines = fields([...entriesOf(key), ['SDK key', key.sdk_key]])
    return { text: `${lines}\n\nThe SDK key is not shown again.`, json: key }
  },
})

const listAppKeys = ownerCommand({
  name: 'app-keys list',
  about: 'List the app keys of an account',
  options: { account },
  act: async (actions, { options }) => {
    const keys = await actions.listAppKeys(options.account)
    if (keys.length === 0) return { text: `${options.account} has no app keys yet.`, json: [] }
    const rows = keys.map((key) => [
      key.app_key_id,
      key.app_name,
      key.status,
      key.created_date,
      key.last_used ?? 'never',
    ])
    return { text: table(['id', 'app', 'status', 'created', 'last used'], rows), json: keys }
  },
})

const revokeAppKey = ownerCommand({
  name: 'app-keys revoke',
  about: 'Revoke an app key: no device can register with it any more',
  options: { account, id: { value: 'ID', about: 'id of the key, see app-keys list', isRequired: true } },
  act: async (actions, { options }) => {
    const key = await actions.revokeAppKey(options.account, options.id)
    return { text: fields(entriesOf(key)), json: key }
  },
})

export const appKeyCommands: readonly Command[] = [createAppKey, listAppKeys, revokeAppKey]

function entriesOf(key: AppKey): (readonly [string, string])[] {
  return [
    ['app', key.app_name],
    ['id', key.app_key_id],
    ['status', key.status],
  ]
}
