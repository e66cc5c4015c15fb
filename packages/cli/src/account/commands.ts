import type { Client } from '@continuity/client'
import { type Command, type CommandResult, command } from '../terminal/command.ts'
import { givenOf } from '../terminal/given.ts'
import { firstOf, limitOption, pageSizeOf } from '../terminal/limit.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { choosePassword } from '../terminal/password.ts'
import { readTitle } from '../terminal/read-text.ts'
import { ROLES, readRoles } from '../terminal/roles.ts'
import { fields } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { usersTable } from '../terminal/users-table.ts'

const operand = 'EMAIL'
const readStatus = oneOf('ACTIVE', 'DISABLED')
const rolesOption = { value: 'A,B', about: `roles: ${ROLES.join(', ')}`, read: readRoles } as const

const showAccount = command({
  name: 'account show',
  about: 'Show the account of the login',
  options: sessionOptions,
  run: async ({ options, world }) => {
    const { client } = await openSession(options, world, 'account show')
    const account = await client.getAccount()
    const text = fields([
      ['account', account.account_name],
      ['id', account.account_id],
      ['title', account.title],
      ['country', account.country],
      ['frame rate', String(account.frame_rate)],
      ['segments', `${account.segment_ms} ms`],
      ['loudness', `${account.loudness_lufs} LUFS`],
    ])
    return { text, json: account }
  },
})

const listUsers = command({
  name: 'account users',
  about: 'List the users of the account; needs ROLE_ADMIN',
  options: { ...sessionOptions, ...limitOption },
  run: async ({ options, world }) => {
    const { client } = await openSession(options, world, 'account users')
    const query = { page_size: pageSizeOf(options.limit) }
    const users = await firstOf(client.listUsers.all({ query }), options.limit)
    return { text: usersTable(users), json: users }
  },
})

const addUser = command({
  name: 'account add-user',
  about: 'Create a user of the account, and print its password once',
  operand,
  options: {
    ...sessionOptions,
    roles: { ...rolesOption, isRequired: true },
    name: { value: 'NAME', about: 'name of the person', read: readTitle },
  },
  run: async ({ operand: email, options, world }) => {
    const { client } = await openSession(options, world, 'account add-user')
    const { password } = await choosePassword(false, world)
    const { roles, name = '' } = options
    return shown(await client.createUser({ body: { email, name, roles, password } }), password)
  },
})

const changeUser = command({
  name: 'account change-user',
  about: 'Change a user of the account; a new password is printed once and ends its sessions',
  operand,
  options: {
    ...sessionOptions,
    roles: rolesOption,
    status: { value: 'STATUS', about: 'ACTIVE or DISABLED', read: readStatus },
    'new-password': { about: 'generate a password' },
  },
  run: async ({ operand: email, options, world }) => {
    const { roles, status } = options
    const password = options['new-password'] ? (await choosePassword(false, world)).password : undefined
    const body = givenOf({ roles, status, password })
    if (Object.keys(body).length === 0) throw new UsageFault('Nothing to change.', 'account change-user')
    const { client } = await openSession(options, world, 'account change-user')
    const { user_id } = await requireUser(client, email)
    return shown(await client.changeUser({ params: { user_id }, body }), password)
  },
})

const removeUser = command({
  name: 'account remove-user',
  about: 'Delete a user of the account; its sessions end',
  operand,
  options: sessionOptions,
  run: async ({ operand: email, options, world }) => {
    const { client } = await openSession(options, world, 'account remove-user')
    const { user_id } = await requireUser(client, email)
    await client.deleteUser({ params: { user_id } })
    return { text: `Deleted user ${email}.`, json: { user_id, email, deleted: true } }
  },
})

/** What users with ROLE_ADMIN do in their own account; `users` is for the owner of the platform. */
export const ownAccountCommands: readonly Command[] = [
  showAccount,
  listUsers,
  addUser,
  changeUser,
  removeUser,
]

type User = Awaited<ReturnType<Client['getUser']>>

async function requireUser(client: Client, email: string): Promise<User> {
  const { hits } = await client.listUsers({ query: { email } })
  const [user] = hits
  if (user === undefined) throw new Error(`There is no user ${email}.\nSee "continuity account users".`)
  return user
}

function shown(user: User, password: string | undefined): CommandResult {
  const lines = fields([
    ['user', user.email],
    ['id', user.user_id],
    ['name', user.name],
    ['roles', user.roles.join(',')],
    ['status', user.status],
    ...(password === undefined ? [] : [['password', password] as const]),
  ])
  return password === undefined
    ? { text: lines, json: user }
    : { text: `${lines}\n\nThe password is not shown again.`, json: { ...user, password } }
}
