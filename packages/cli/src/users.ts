import { type Command, type CommandResult, ownerCommand } from './terminal/command.ts'
import type { User } from './terminal/owner-actions.ts'
import { type ChosenPassword, choosePassword } from './terminal/password.ts'
import { readEmail, readTitle } from './terminal/read-text.ts'
import { ROLES, readRoles } from './terminal/roles.ts'
import { fields } from './terminal/table.ts'
import { usersTable } from './terminal/users-table.ts'

const account = { value: 'NAME', about: 'account of the user', isRequired: true } as const
const email = {
  value: 'EMAIL',
  about: 'e-mail address of the user',
  isRequired: true,
  read: readEmail,
} as const
const roles = {
  value: 'A,B',
  about: `roles separated by commas: ${ROLES.join(', ')}`,
  isRequired: true,
  read: readRoles,
} as const
const passwordStdin = {
  about: 'read the password from standard input; by default one is generated and printed once',
} as const
const who = { account, email }

const createUser = ownerCommand({
  name: 'users create',
  about: 'Create a user',
  options: {
    ...who,
    roles,
    name: { value: 'NAME', about: 'name of the person', read: readTitle },
    'password-stdin': passwordStdin,
  },
  act: async (actions, { options, world }) => {
    const chosen = await choosePassword(options['password-stdin'], world)
    const user = await actions.createUser(options.account, {
      email: options.email,
      name: options.name ?? '',
      password: chosen.password,
      roles: options.roles,
    })
    return shown(user, chosen)
  },
})

const listUsers = ownerCommand({
  name: 'users list',
  about: 'List the users of an account',
  options: { account },
  act: async (actions, { options }) => {
    const users = await actions.listUsers(options.account)
    if (users.length === 0) return { text: `${options.account} has no users yet.`, json: [] }
    return { text: usersTable(users), json: users }
  },
})

const setRoles = ownerCommand({
  name: 'users roles',
  about: 'Set the roles of a user; they apply within seconds',
  options: { ...who, set: roles },
  act: async (actions, { options }) =>
    shown(await actions.changeUser(options.account, options.email, { roles: options.set })),
})

const setPassword = ownerCommand({
  name: 'users password',
  about: 'Set the password of a user; its sessions end',
  options: { ...who, 'password-stdin': passwordStdin },
  act: async (actions, { options, world }) => {
    const chosen = await choosePassword(options['password-stdin'], world)
    const { password } = chosen
    return shown(await actions.changeUser(options.account, options.email, { password }), chosen)
  },
})

const disableUser = ownerCommand({
  name: 'users disable',
  about: 'Disable a user; its sessions end',
  options: who,
  act: async (actions, { options }) =>
    shown(await actions.changeUser(options.account, options.email, { status: 'DISABLED' })),
})

const enableUser = ownerCommand({
  name: 'users enable',
  about: 'Enable a user',
  options: who,
  act: async (actions, { options }) =>
    shown(await actions.changeUser(options.account, options.email, { status: 'ACTIVE' })),
})

export const userCommands: readonly Command[] = [
  createUser,
  listUsers,
  setRoles,
  setPassword,
  disableUser,
  enableUser,
]

/** The user, with the password if it was generated. */
function shown(user: User, chosen?: ChosenPassword): CommandResult {
  const made = chosen?.isMade === true ? chosen.password : undefined
  const lines = fields([
    ['user', user.email],
    ['id', user.user_id],
    ['name', user.name],
    ['roles', user.roles.join(',')],
    ['status', user.status],
    ...(made === undefined ? [] : [['password', made] as const]),
  ])
  return made === undefined
    ? { text: lines, json: user }
    : { text: `${lines}\n\nThe password is not shown again.`, json: { ...user, password: made } }
}
