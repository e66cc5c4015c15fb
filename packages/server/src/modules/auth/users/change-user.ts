import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/index.ts'
import type { EndedCredential } from '../records/ended-store.ts'
import { LastAdministrator, UserNotFound } from '../records/errors.ts'
import { type EndedReason, endSessions } from '../records/session-store.ts'
import {
  lockAdministrators,
  lockUser,
  type User,
  type UserChanges,
  updateUser,
} from '../records/user-store.ts'
import { endCredentialsOf } from '../sessions/end-session.ts'
import { audited, recordUserEvent } from './create-user.ts'

export interface ChangedUser {
  readonly user: User
  /** To be published after the commit. */
  readonly ended: readonly EndedCredential[]
}

export type UserUpdate = Pick<UserChanges, 'name' | 'roles' | 'status' | 'passwordHash'> | 'delete'

/**
 * Changes or deletes a user. `check` gets the locked user before the change.
 *
 * New roles revoke the access credentials that were issued, and a refresh returns
 * new ones; a new password, DISABLED and a deletion end the sessions.
 */
export async function changeUser(
  tx: Transaction,
  actor: Actor,
  userId: string,
  update: UserUpdate,
  check: (user: User) => void,
): Promise<ChangedUser> {
  const { accountId, nowMs } = actor
  const administrators = await lockAdministrators(tx, accountId)
  const before = await lockUser(tx, accountId, userId)
  if (before === undefined) throw UserNotFound(userId)
  check(before)
  const changes = update === 'delete' ? { deletedMs: nowMs } : update
  const isLast = administrators.length === 1 && administrators[0] === userId
  if (isLast && !staysAdministrator(before, update)) throw LastAdministrator()

  const reason = endsSessions(before, update)
  const isVoid = reason !== undefined || hasOtherRoles(before, update)
  const user = await updateUser(tx, before, isVoid ? { ...changes, nextGeneration: true } : changes, nowMs)
  if (reason !== undefined) await endSessions(tx, accountId, { subjectId: userId }, reason, nowMs)
  const ended = isVoid ? await endCredentialsOf(tx, userId, user.generation, nowMs) : []
  const hasNewPassword = update !== 'delete' && update.passwordHash !== undefined
  await recordAudit(tx, actor, {
    action: update === 'delete' ? 'user.delete' : 'user.change',
    subjectType: 'user',
    subjectId: userId,
    before: audited(before),
    after:
      update === 'delete'
        ? null
        : { ...audited(user), ...(hasNewPassword ? { has_new_password: true } : {}) },
  })
  await recordUserEvent(tx, actor, update === 'delete' ? 'user.deleted' : 'user.changed', user)
  return { user, ended }
}

function staysAdministrator(user: User, update: UserUpdate): boolean {
  if (update === 'delete') return false
  const { roles = user.roles, status = user.status } = update
  return status === 'ACTIVE' && roles.includes('ROLE_ADMIN')
}

function endsSessions(user: User, update: UserUpdate): EndedReason | undefined {
  if (update === 'delete') return 'user_deleted'
  if (update.passwordHash !== undefined) return 'password_changed'
  return update.status === 'DISABLED' && user.status !== 'DISABLED' ? 'user_disabled' : undefined
}

function hasOtherRoles(user: User, update: UserUpdate): boolean {
  if (update === 'delete' || update.roles === undefined) return false
  const { roles } = update
  return roles.length !== user.roles.length || roles.some((role) => !user.roles.includes(role))
}
