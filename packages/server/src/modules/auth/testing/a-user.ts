import type { Database } from '../../../platform/database/database.ts'
import { hashPassword } from '../passwords/password.ts'
import type { User } from '../records/user-store.ts'
import { createAppKey } from '../users/app-keys.ts'
import { createUser } from '../users/create-user.ts'

export const PASSWORD = 'correct horse battery staple'

const actorOf = (accountId: string) => ({ accountId, userId: null, requestId: null, nowMs: 0 })

/** A user of an account, whose password is `PASSWORD`. */
export async function aUser(
  database: Database,
  accountId: string,
  { email = 'duty@one.example', roles = ['ROLE_USER', 'ROLE_ADMIN'] as readonly string[] } = {},
): Promise<User> {
  const passwordHash = await hashPassword(PASSWORD)
  return database
    .forAccount(accountId)
    .transaction()
    .execute((tx) => createUser(tx, actorOf(accountId), { email, name: '', roles, passwordHash }))
}

/** The SDK key of a new app key. */
export async function anAppKey(database: Database, accountId: string, appName = 'north-tv') {
  return database
    .forAccount(accountId)
    .transaction()
    .execute((tx) => createAppKey(tx, actorOf(accountId), appName))
}
