import {
  changeUser,
  createUser,
  findPasswordFault,
  findUserByEmail,
  hashPassword,
  listUsers,
  type User,
} from '../modules/auth/index.ts'
import { PasswordRejected, UserNotFound } from '../modules/auth/records/errors.ts'
import type { Database } from '../platform/database/database.ts'
import { ownerActor, requireAccountId } from './owner-accounts.ts'

export interface UserDraft {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly roles: readonly string[]
}

export interface UserChange {
  readonly roles?: readonly string[]
  readonly password?: string
  readonly status?: 'ACTIVE' | 'DISABLED'
}

const PAGE_SIZE = 500

/**
 * The users of any account, by e-mail, with the field names of the API. Ended credentials are not published here: every
 * process finds them in the table within seconds.
 */
export function ownerUsers(database: Database, nowMs: number) {
  return {
    async createUser(accountName: string, { password, ...draft }: UserDraft) {
      const actor = await actorIn(accountName)
      const passwordHash = await hash(password, [draft.email, accountName])
      const user = await transaction(actor.accountId, (tx) =>
        createUser(tx, actor, { ...draft, passwordHash }),
      )
      return toRecord(user)
    },

    async listUsers(accountName: string) {
      const { accountId } = await actorIn(accountName)
      const all: User[] = []
      for (;;) {
        const which = { email: undefined, after: all.at(-1)?.email, limit: PAGE_SIZE }
        const page = await listUsers(database.forAccount(accountId), accountId, which)
        all.push(...page)
        if (page.length < PAGE_SIZE) return all.map(toRecord)
      }
    },

    async changeUser(accountName: string, email: string, { password, ...change }: UserChange) {
      const actor = await actorIn(accountName)
      const hashed =
        password === undefined ? {} : { passwordHash: await hash(password, [email, accountName]) }
      const { user } = await transaction(actor.accountId, async (tx) => {
        const found = await findUserByEmail(tx, actor.accountId, email)
        if (found === undefined) throw UserNotFound(email)
        return changeUser(tx, actor, found.userId, { ...change, ...hashed }, () => {})
      })
      return toRecord(user)
    },
  }

  async function actorIn(accountName: string) {
    return ownerActor(await requireAccountId(database.platform, accountName), nowMs)
  }

  function transaction<T>(accountId: string, work: (tx: Parameters<typeof createUser>[0]) => Promise<T>) {
    return database.forAccount(accountId).transaction().execute(work)
  }
}

async function hash(password: string, names: readonly string[]): Promise<string> {
  const fault = findPasswordFault(password, names)
  if (fault !== undefined) throw PasswordRejected(fault)
  return hashPassword(password)
}

const toRecord = (user: User) => ({
  user_id: user.userId,
  email: user.email,
  name: user.name,
  roles: user.roles,
  status: user.status,
  created_date: new Date(user.createdMs).toISOString(),
  last_login: user.lastLoginMs === null ? null : new Date(user.lastLoginMs).toISOString(),
})
