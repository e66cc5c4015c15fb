import { type Database, runTransaction } from '../../platform/database/database.ts'
import { findAccountId } from '../accounts/read.ts'
import type { SigningKey } from './access-token.ts'
import type { HashLanes } from './hash-lanes.ts'
import { countLogin } from './login-limits.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'
import { checkPassword, hashPassword, needsRehash } from './password.ts'
import { findLoginUser, type LoginUser, normalEmail, recordLogin } from './user-store.ts'

export interface LoginOrder {
  readonly accountName: string
  readonly email: string
  readonly password: string
}

export type LoginResult =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many_tries'; readonly retryAfterSeconds: number }
  | { readonly kind: 'busy' }

export interface LoginDeps {
  readonly database: Database
  readonly hashLanes: HashLanes
  readonly signingKey: () => SigningKey
  /** Called for every password that is looked at. */
  readonly countHash: () => void
}

export const KNOWN_ADDRESS_MS = 30 * 24 * 60 * 60 * 1_000

/** Stands in for an account that does not exist, so that looking for its users takes as long. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/**
 * Logs a user in. Whatever is wrong, the account, the e-mail or the password,
 * the same steps are taken in the same order and the same thing is said.
 */
export async function logIn(deps: LoginDeps, order: LoginOrder, origin: Origin): Promise<LoginResult> {
  const { database } = deps
  const { addressGroup: address, nowMs } = origin
  const accountId = (await findAccountId(database.platform, order.accountName)) ?? NO_ACCOUNT
  const db = database.forAccount(accountId)
  const user = await findLoginUser(db, accountId, order.email, address, nowMs - KNOWN_ADDRESS_MS)
  const email = normalEmail(order.email)
  const key = JSON.stringify([order.accountName, email])
  const isKnown = user?.isKnown ?? false
  const turn = await deps.hashLanes.run(key, isKnown ? 'known' : 'other', async () => {
    const limit = await countLogin(
      database.platform,
      { accountName: order.accountName, email, address, isKnown },
      nowMs,
    )
    if (limit.kind === 'refused') return limit
    deps.countHash()
    const isRight = await checkPassword(order.password, user?.passwordHash)
    if (!isRight || user?.status !== 'ACTIVE') return WRONG
    await limit.takeBack()
    const newHash = needsRehash(user.passwordHash) ? await hashPassword(order.password) : undefined
    return { kind: 'right', user, newHash } as const
  })
  if (turn.kind === 'full') return { kind: 'busy' }
  if (turn.value.kind === 'wrong') return { kind: 'refused' }
  if (turn.value.kind === 'refused') return { ...turn.value, kind: 'too_many_tries' }
  return open(deps, accountId, turn.value.user, turn.value.newHash, origin)
}

const WRONG = { kind: 'wrong' } as const

/** A user that was changed since its password was looked at may be one who can no longer log in with it. */
async function open(
  { database, signingKey }: LoginDeps,
  accountId: string,
  found: LoginUser,
  newHash: string | undefined,
  origin: Origin,
): Promise<LoginResult> {
  const { addressGroup: address, nowMs } = origin
  return runTransaction(database.forAccount(accountId), async (tx) => {
    const user = await recordLogin(tx, accountId, found, { address, newHash, nowMs })
    if (user === undefined) return { kind: 'refused' }
    const subject = { accountId, subjectType: 'user', subjectId: found.userId, ...user } as const
    return { kind: 'opened', session: await openSession(tx, signingKey(), subject, origin) }
  })
}
