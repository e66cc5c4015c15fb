import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/index.ts'
import { recordEvent } from '../events/index.ts'
import { UserExists } from './errors.ts'
import { insertUser, type User } from './user-store.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  /** Hashed before the transaction begins, which must not wait for it. */
  readonly passwordHash: string
}

export async function createUser(tx: Transaction, actor: Actor, draft: NewUser): Promise<User> {
  const { accountId, nowMs } = actor
  const user = await insertUser(tx, { ...draft, accountId, userId: newId(nowMs) }, nowMs)
  if (user === undefined) throw UserExists()
  await recordAudit(tx, actor, {
    action: 'user.create',
    subjectType: 'user',
    subjectId: user.userId,
    before: null,
    after: audited(user),
  })
  await recordUserEvent(tx, actor, 'user.created', user)
  return user
}

/** What the record shows of a user. Of a password only that there was a new one. */
export const audited = ({ email, name, roles, status }: User) => ({ email, name, roles, status })

export const recordUserEvent = (
  tx: Transaction,
  actor: Actor,
  kind: 'user.created' | 'user.changed' | 'user.deleted',
  { userId, name, roles, status }: User,
): Promise<void> =>
  recordEvent(tx, actor, {
    kind,
    subjectId: userId,
    data: { user_id: userId, name, roles: [...roles], status },
  })
