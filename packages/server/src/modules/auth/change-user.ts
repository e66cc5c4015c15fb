import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { recordAudit } from '../audit/index.ts'
import { audited, recordUserEvent } from './create-user.ts'
import { endCredentialsOf } from './end-session.ts'
import type { EndedCredential } from './ended-store.ts'
import { LastAdministrator, UserNotFound } from './errors.ts'
import { type EndedReason, endSessions } from './session-store.ts'
import { lockAdministrators, lockUser, type User, type UserChanges, updateUser } from './user-store.ts'

export interface ChangedUser {
  readonly user: User
  /** To be told to every process once the transaction is committed. */
  readonly ended: readonly EndedCredential[]
}

export type UserOrder = Pick<UserChanges, 'name' | 'roles' | 'status' | 'passwordHash'> | 'delete'

/**
 * Changes or deletes a user. `check` sees the user as it is, under its lock.
 *
 * Other roles void the access credentials that are out there, and a refresh
 * brings new ones; another password, DISABLED and a deletion end the sessions.
 */
export async function changeUser(
  tx: Transaction,
  actor: Actor,
  userId: string,
  order: UserOrder,
  check: (user: User) => void,
): Promise<ChangedUser> {
  const { accountId, nowMs } = actor
  const administrators = await lockAdministrators(tx, accountId)
  const before = await lockUser(tx, accountId, userId)
  if (before === undefined) throw UserNotFound(userId)
  check(before)
  const changes = order === 'delete' ? { deletedMs: nowMs } : order
  const isLast = administrators.length === 1 && administrators[0] === userId
  if (isLast && !staysAdministrator(before, order)) throw LastAdministrator()

  const reason = endsSessions(before, order)
  const isVoid = reason !== undefined || hasOtherRoles(before, order)
  const user = await updateUser(tx, before, isVoid ? { ...changes, nextGeneration: true } : changes, nowMs)
  if (reason !== undefined) await endSessions(tx, accountId, { subjectId: userId }, reason, nowMs)
  const ended = isVoid ? await endCredentialsOf(tx, userId, user.generation, nowMs) : []
  const hasNewPassword = order !== 'delete' && order.passwordHash !== undefined
  await recordAudit(tx, actor, {
    action: order === 'delete' ? 'user.delete' : 'user.change',
    subjectType: 'user',
    subjectId: userId,
    before: audited(before),
    after:
      order === 'delete' ? null : { ...audited(user), ...(hasNewPassword ? { has_new_password: true } : {}) },
  })
  await recordUserEvent(tx, actor, order === 'delete' ? 'user.deleted' : 'user.changed', user)
  return { user, ended }
}

function staysAdministrator(user: User, order: UserOrder): boolean {
  if (order === 'delete') return false
  const { roles = user.roles, status = user.status } = order
  return status === 'ACTIVE' && roles.includes('ROLE_ADMIN')
}

function endsSessions(user: User, order: UserOrder): EndedReason | undefined {
  if (order === 'delete') return 'user_deleted'
  if (order.passwordHash !== undefined) return 'password_changed'
  return order.status === 'DISABLED' && user.status !== 'DISABLED' ? 'user_disabled' : undefined
}

function hasOtherRoles(user: User, order: UserOrder): boolean {
  if (order === 'delete' || order.roles === undefined) return false
  const { roles } = order
  return roles.length !== user.roles.length || roles.some((role) => !user.roles.includes(role))
}
