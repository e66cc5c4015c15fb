import type { Actor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/index.ts'
import { recordEvent } from '../../events/index.ts'
import { UserExists } from '../records/errors.ts'
import { insertUser, type User } from '../records/user-store.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  /** Computed before the transaction begins, to keep it short. */
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

/** The fields of a user that are audited; never the password. */
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
