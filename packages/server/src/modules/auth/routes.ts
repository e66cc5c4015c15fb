import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { Overloaded } from '../../http/errors.ts'
import { pageAnswer, pageStart } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import { isId } from '../../platform/crypto/ids.ts'
import type { PageCursors } from '../../platform/crypto/page-cursor.ts'
import type { Db } from '../../platform/database/database.ts'
import { getAccount } from '../accounts/read.ts'
import { hashPassword } from './passwords/password.ts'
import { findPasswordFault } from './passwords/password-rules.ts'
import { type AppKey, countAppKeys, listAppKeys } from './records/app-key-store.ts'
import {
  AppKeyNotFound,
  PasswordRejected,
  SessionEnded,
  SessionRejected,
  TooManyTries,
  UserNotFound,
} from './records/errors.ts'
import { countUsers, findUser, listUsers, type User } from './records/user-store.ts'
import { endSession } from './sessions/end-session.ts'
import type { EndedCredentials } from './sessions/ended-credentials.ts'
import { type LoginDeps, logIn } from './sessions/log-in.ts'
import type { OpenedSession } from './sessions/open-session.ts'
import { type CountrySources, originOf } from './sessions/origin-of.ts'
import { refreshSession } from './sessions/refresh-session.ts'
import { registerDevice } from './sessions/register-device.ts'
import { createAppKey, revokeAppKey } from './users/app-keys.ts'
import { changeUser } from './users/change-user.ts'
import { createUser } from './users/create-user.ts'
import { toAppKeyAnswer, toSessionAnswer, toUserAnswer } from './wire.ts'

export interface AuthDeps extends LoginDeps, CountrySources {
  readonly ended: Pick<EndedCredentials, 'announce'>
  readonly pageCursors: PageCursors
}

export const authRoutes = (deps: AuthDeps) =>
  ({ ...sessionRoutes(deps), ...userRoutes(deps), ...appKeyRoutes(deps) }) satisfies Handlers

function sessionRoutes(deps: AuthDeps) {
  const { changing } = recordHandlers(deps.database)
  return {
    login: async (call) => {
      const { account_name: accountName, email, password } = call.body
      const result = await logIn(deps, { accountName, email, password }, originOf(call, deps))
      if (result.kind === 'busy') throw Overloaded()
      return openedOrThrow(result)
    },
    registerDevice: async (call) => {
      const { app_name: appName, sdk_key: sdkKey } = call.body
      return openedOrThrow(await registerDevice(deps, { appName, sdkKey }, originOf(call, deps)))
    },
    refreshSession: async (call) => {
      const result = await refreshSession(deps, call.body.token_refresh, originOf(call, deps))
      if (result.kind === 'renewed') return toSessionAnswer(result.session)
      deps.ended.announce(result.ended)
      throw SessionEnded()
    },
    endSession: changing(async (tx, { principal, nowMs }, _actor, onCommit) => {
      const voided = await endSession(tx, principal, 'logged_out', nowMs)
      onCommit(() => deps.ended.announce(voided))
    }),
  } satisfies Handlers
}

type Opening =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'too_many_tries'; readonly retryAfterSeconds: number }

function openedOrThrow(result: Opening) {
  if (result.kind === 'too_many_tries') throw TooManyTries(result.retryAfterSeconds)
  if (result.kind === 'rejected') throw SessionRejected()
  return toSessionAnswer(result.session)
}

function userRoutes({ database, hashLanes, ended, pageCursors }: AuthDeps) {
  const { reading, changing, change } = recordHandlers(database)

  /** Called before a transaction begins: a hash takes too long to be computed inside one. */
  const hashNew = async (accountId: string, password: string, email: string): Promise<string> => {
    const account = await getAccount(database.forAccount(accountId), accountId)
    const fault = findPasswordFault(password, [email, account.name])
    if (fault !== undefined) throw PasswordRejected(fault)
    const turn = await hashLanes.run(`new ${accountId}`, 'known', () => hashPassword(password))
    if (turn.kind === 'full') throw Overloaded()
    return turn.value
  }
  const getUser = async (db: Db, accountId: string, userId: string): Promise<User> => {
    const user = isId(userId) ? await findUser(db, accountId, userId) : undefined
    if (user === undefined) throw UserNotFound(userId)
    return user
  }

  return {
    listUsers: reading(async (db, call) => {
      const { accountId } = call.principal
      const { email, page_size: size } = call.query
      const after = pageStart(pageCursors, call)?.[0] as string | undefined
      const rows = await listUsers(db, accountId, { email, after, limit: size + 1 })
      const page = { rows, hitOf: toUserAnswer, keyOf: (user: User) => [user.email] }
      const total = email === undefined ? await countUsers(db, accountId) : rows.length
      return { ...pageAnswer(pageCursors, call, page), total }
    }),
    getUser: reading(async (db, { principal, params }) =>
      withTag(await getUser(db, principal.accountId, params.user_id)),
    ),
    createUser: async (call) => {
      const { email, name = '', password, roles } = call.body
      const passwordHash = await hashNew(call.principal.accountId, password, email)
      return change(call, async (tx, _call, actor) =>
        withTag(await createUser(tx, actor, { email, name, roles, passwordHash })),
      )
    },
    changeUser: async (call) => {
      const { accountId } = call.principal
      const { password, ...changes } = call.body
      const { userId, email } = await getUser(database.forAccount(accountId), accountId, call.params.user_id)
      const hashed = password === undefined ? {} : { passwordHash: await hashNew(accountId, password, email) }
      return change(call, async (tx, _call, actor, onCommit) => {
        const changed = await changeUser(tx, actor, userId, { ...changes, ...hashed }, requireSeen(call))
        onCommit(() => ended.announce(changed.ended))
        return withTag(changed.user)
      })
    },
    deleteUser: changing(async (tx, call, actor, onCommit) => {
      const { userId } = await getUser(tx, actor.accountId, call.params.user_id)
      const changed = await changeUser(tx, actor, userId, 'delete', requireSeen(call))
      onCommit(() => ended.announce(changed.ended))
    }),
  } satisfies Handlers
}

const withTag = (user: User) => answered(toUserAnswer(user), { etag: recordEtag(user.version) })

function appKeyRoutes({ database, ended, pageCursors }: AuthDeps) {
  const { reading, changing } = recordHandlers(database)
  return {
    listAppKeys: reading(async (db, call) => {
      const { accountId } = call.principal
      const after = pageStart(pageCursors, call)?.[0] as string | undefined
      const rows = await listAppKeys(db, accountId, after, call.query.page_size + 1)
      const page = { rows, hitOf: toAppKeyAnswer, keyOf: ({ appKeyId }: AppKey) => [appKeyId] }
      return { ...pageAnswer(pageCursors, call, page), total: await countAppKeys(db, accountId) }
    }),
    createAppKey: changing(async (tx, call, actor) => {
      const { appKey, sdkKey } = await createAppKey(tx, actor, call.body.app_name)
      return { ...toAppKeyAnswer(appKey), sdk_key: sdkKey }
    }),
    revokeAppKey: changing(async (tx, call, actor, onCommit) => {
      const { app_key_id: appKeyId } = call.params
      if (!isId(appKeyId)) throw AppKeyNotFound(appKeyId)
      const voided = await revokeAppKey(tx, actor, appKeyId)
      onCommit(() => ended.announce(voided))
    }),
  } satisfies Handlers
}
