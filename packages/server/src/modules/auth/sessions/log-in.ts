import { type Database, runTransaction } from '../../../platform/database/database.ts'
import { findAccountId } from '../../accounts/read.ts'
import type { SigningKey } from '../credentials/access-token.ts'
import type { HashLanes } from '../passwords/hash-lanes.ts'
import { checkPassword, hashPassword, needsRehash } from '../passwords/password.ts'
import { findLoginUser, type LoginUser, normalEmail, recordLogin } from '../records/user-store.ts'
import { countLogin } from './login-limits.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'

export interface LoginParams {
  readonly accountName: string
  readonly email: string
  readonly password: string
}

export type LoginResult =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'too_many_tries'; readonly retryAfterSeconds: number }
  | { readonly kind: 'busy' }

export interface LoginDeps {
  readonly database: Database
  readonly hashLanes: HashLanes
  readonly signingKey: () => SigningKey
  /** Called for every password that is checked. */
  readonly countHash: () => void
}

export const KNOWN_ADDRESS_MS = 30 * 24 * 60 * 60 * 1_000

/** Queried for an account that does not exist, so that both cases take the same time. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/**
 * Logs a user in. Whether the account, the e-mail or the password is wrong, the
 * same steps run and the response is the same.
 */
export async function logIn(deps: LoginDeps, params: LoginParams, origin: Origin): Promise<LoginResult> {
  const { database } = deps
  const { addressGroup: address, nowMs } = origin
  const accountId = (await findAccountId(database.platform, params.accountName)) ?? NO_ACCOUNT
  const db = database.forAccount(accountId)
  const user = await findLoginUser(db, accountId, params.email, address, nowMs - KNOWN_ADDRESS_MS)
  const email = normalEmail(params.email)
  const key = JSON.stringify([params.accountName, email])
  const isKnown = user?.isKnown ?? false
  const turn = await deps.hashLanes.run(key, isKnown ? 'known' : 'other', async () => {
    const limit = await countLogin(
      database.platform,
      { accountName: params.accountName, email, address, isKnown },
      nowMs,
    )
    if (limit.kind === 'rejected') return limit
    deps.countHash()
    const isRight = await checkPassword(params.password, user?.passwordHash)
    if (!isRight || user?.status !== 'ACTIVE') return WRONG
    await limit.takeBack()
    const newHash = needsRehash(user.passwordHash) ? await hashPassword(params.password) : undefined
    return { kind: 'right', user, newHash } as const
  })
  if (turn.kind === 'full') return { kind: 'busy' }
  if (turn.value.kind === 'wrong') return { kind: 'rejected' }
  if (turn.value.kind === 'rejected') return { ...turn.value, kind: 'too_many_tries' }
  return open(deps, accountId, turn.value.user, turn.value.newHash, origin)
}

const WRONG = { kind: 'wrong' } as const

/** The user may have been changed since the password was checked. */
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
    if (user === undefined) return { kind: 'rejected' }
    const subject = { accountId, subjectType: 'user', subjectId: found.userId, ...user } as const
    return { kind: 'opened', session: await openSession(tx, signingKey(), subject, origin) }
  })
}
