import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { exampleAccount, exampleAppKey, exampleUser, pageExample } from '../definition/examples.ts'
import { markPaging } from '../schemas/page.ts'
import { id } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'
import {
  Account,
  AccountChange,
  AppKeyDraft,
  AppKeyPage,
  email,
  NewAppKey,
  User,
  UserChange,
  UserDraft,
  UserPage,
} from '../schemas/user.ts'
import { readers } from '../v2_3/channels.ts'

const common = { version: '2.1', group: 'Users', ours: true } as const
const admin = { ...common, access: ['ROLE_ADMIN'] } as const
const markInvalid = { 'page.mark_invalid': 400 } as const
const stale = { 'record.changed': 412 } as const

export const getAccount = endpoint({
  ...common,
  id: 'getAccount',
  method: 'GET',
  path: '/account',
  summary: 'Read the account',
  access: readers,
  answer: { status: 200, description: 'The account.', schema: Account },
  example: { answer: exampleAccount },
})
export const changeAccount = endpoint({
  ...admin,
  id: 'changeAccount',
  method: 'PATCH',
  path: '/account',
  summary: 'Change the account',
  description: 'The frame rate and the length of a segment can change until the first asset is packaged.',
  body: AccountChange,
  answer: { status: 200, description: 'The account.', schema: Account },
  errors: { 'account.format_frozen': 409, ...stale },
  example: { body: { loudness_lufs: -24 }, answer: { ...exampleAccount, loudness_lufs: -24 } },
})

const one = { params: shape({ user_id: id('Id of the user.') }) }
const userPath = '/users/{user_id}'
const user = { status: 200, description: 'The user.', schema: User } as const
const notFound = { 'user.not_found': 404 } as const
const lastAdmin = { 'user.last_admin': 409 } as const
const password = { 'password.refused': 422 } as const

export const listUsers = endpoint({
  ...admin,
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  summary: 'List users',
  query: shape({ email: Type.Optional(email('Only the user with this e-mail.')), ...markPaging }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of users.', schema: UserPage },
  errors: markInvalid,
  example: { answer: pageExample(exampleUser) },
})
export const createUser = endpoint({
  ...admin,
  id: 'createUser',
  method: 'POST',
  path: '/users',
  summary: 'Make a user',
  body: UserDraft,
  idempotencyKey: true,
  answer: { ...user, status: 201 },
  errors: { 'user.exists': 409, ...password },
  example: {
    body: {
      email: 'duty@north.example',
      name: 'Night desk',
      password: 'correct horse battery staple',
      roles: ['ROLE_USER', 'ROLE_OPERATOR'],
    },
    answer: { ...exampleUser, last_login: null },
  },
})
export const getUser = endpoint({
  ...admin,
  ...one,
  id: 'getUser',
  method: 'GET',
  path: userPath,
  summary: 'Read one user',
  answer: user,
  errors: notFound,
  example: { answer: exampleUser },
})
export const changeUser = endpoint({
  ...admin,
  ...one,
  id: 'changeUser',
  method: 'PATCH',
  path: userPath,
  summary: 'Change a user',
  description:
    'Another password and DISABLED end the sessions of the user. Other roles hold from the next refresh on, which the ' +
    'user has to make at once: access credentials with the old roles are void.',
  body: UserChange,
  answer: user,
  errors: { ...notFound, ...lastAdmin, ...password, ...stale },
  example: { body: { status: 'DISABLED' }, answer: { ...exampleUser, status: 'DISABLED' } },
})
export const deleteUser = endpoint({
  ...admin,
  ...one,
  id: 'deleteUser',
  method: 'DELETE',
  path: userPath,
  summary: 'Delete a user',
  answer: { status: 204, description: 'It is gone.' },
  errors: { ...notFound, ...lastAdmin, ...stale },
  example: {},
})

export const listAppKeys = endpoint({
  ...admin,
  id: 'listAppKeys',
  method: 'GET',
  path: '/app_keys',
  summary: 'List app keys',
  query: shape({ ...markPaging }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of app keys.', schema: AppKeyPage },
  errors: markInvalid,
  example: { answer: pageExample(exampleAppKey) },
})
export const createAppKey = endpoint({
  ...admin,
  id: 'createAppKey',
  method: 'POST',
  path: '/app_keys',
  summary: 'Make an app key',
  description:
    'Several keys may carry the same app_name: make a new one, ship it, and revoke the old one when it is no longer used.',
  body: AppKeyDraft,
  idempotencyKey: true,
  answer: { status: 201, description: 'The app key, with its secret.', schema: NewAppKey },
  example: {
    body: { app_name: exampleAppKey.app_name },
    answer: { ...exampleAppKey, last_used: null, sdk_key: 'sdk_3f0c6c0e' },
  },
})
export const revokeAppKey = endpoint({
  ...admin,
  id: 'revokeAppKey',
  method: 'DELETE',
  path: '/app_keys/{app_key_id}',
  summary: 'Revoke an app key',
  description: 'It stays listed as REVOKED. Revoking it again changes nothing.',
  params: shape({ app_key_id: id('Id of the key.') }),
  answer: { status: 204, description: 'It opens no session any more.' },
  errors: { 'app_key.not_found': 404 },
  example: {},
})
