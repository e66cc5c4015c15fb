import { operations } from '@continuity/contract'
import type { Api } from './call.ts'
import type { RejectedCredential } from './rejected-credentials.ts'
import { claimsOf, done, logIn, refresh, registerDevice, type Session } from './session.ts'
import type { World } from './world.ts'

/** Credentials that have not expired, but whose session, app key or user was ended. */
export async function voidCredentials(world: World): Promise<RejectedCredential[]> {
  const sessions = {
    'of a session that was logged out': await loggedOut(world),
    'of a session whose refresh credential was used twice': await stolen(world),
    'of an app key that was revoked': await revoked(world),
    'of a user who is disabled': await changed(world, 'disabled', { status: 'DISABLED' }),
    'of a user who was disabled and is not any more': await changed(
      world,
      'enabled',
      { status: 'DISABLED' },
      { status: 'ACTIVE' },
    ),
    'of a user with another password': await changed(world, 'password', { password: 'another password' }),
    'of a user with other roles': await changed(world, 'roles', { roles: ['ROLE_USER'] }),
    'of a user who is deleted': await deleted(world),
  }
  return Object.entries(sessions).map(([name, { headers }]) => ({
    name,
    headers,
    code: 'credential.invalid',
  }))
}

/** A session that was used once, so that the process has its signature cached. */
async function used(api: Api, opening: Promise<Session>): Promise<Session> {
  const session = await opening
  await done(api, operations.listBrands, { headers: session.headers })
  return session
}

async function loggedOut({ api, one }: World): Promise<Session> {
  const session = await used(api, logIn(api, one.login))
  await done(api, operations.endSession, { headers: session.headers })
  return session
}

/** A refresh credential that was replaced twice is not a retry after a lost answer: it must be a copy. */
async function stolen({ api, one }: World): Promise<Session> {
  const session = await used(api, logIn(api, one.login))
  const last = await refresh(api, await refresh(api, session))
  const again = await api.call(operations.refreshSession, { body: { token_refresh: session.refresh } })
  if (again.status !== 401) throw new Error(`an old refresh credential is answered with ${again.status}`)
  return last
}

async function revoked({ api, one }: World): Promise<Session> {
  const { headers } = one.session
  const body = { app_name: 'revoked' }
  const key = await done<{ app_key_id: string; sdk_key: string }>(api, operations.createAppKey, {
    headers,
    body,
  })
  const session = await used(api, registerDevice(api, 'revoked', key.sdk_key))
  await done(api, operations.revokeAppKey, { headers, params: { app_key_id: key.app_key_id } })
  return session
}

async function changed(world: World, name: string, ...changes: readonly object[]): Promise<Session> {
  const { api, one } = world
  const session = await aUserOf(world, name)
  for (const body of changes) {
    const params = { user_id: claimsOf(session.access).subjectId }
    await done(api, operations.changeUser, { headers: one.session.headers, params, body })
  }
  return session
}

async function deleted(world: World): Promise<Session> {
  const { api, one } = world
  const session = await aUserOf(world, 'deleted')
  const params = { user_id: claimsOf(session.access).subjectId }
  await done(api, operations.deleteUser, { headers: one.session.headers, params })
  return session
}

async function aUserOf({ api, owner, one }: World, name: string): Promise<Session> {
  const account_name = one.accountName
  const login = { account_name, email: `${name}@void.example`, password: 'correct horse battery staple' }
  await owner.createUser(account_name, { ...login, name: '', roles: ['ROLE_USER', 'ROLE_ADMIN'] })
  return used(api, logIn(api, login))
}
