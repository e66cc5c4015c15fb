import { decideRefresh } from '@continuity/core/sessions/decide-refresh'
import { platformActor } from '../../platform/actor.ts'
import { type Database, runTransaction, type Transaction } from '../../platform/database/database.ts'
import { seal, unseal } from '../../platform/seal.ts'
import { recordAudit } from '../audit/index.ts'
import type { SigningKey } from './access-token.ts'
import { findAppKey } from './app-key-store.ts'
import { endSession } from './end-session.ts'
import type { EndedCredential } from './ended-store.ts'
import { type OpenedSession, type Origin, REFRESH_MS, type Subject, signAccess } from './open-session.ts'
import {
  hashSecret,
  isMarked,
  newSecret,
  printRefreshCredential,
  type RefreshCredential,
  readRefreshCredential,
} from './refresh-credential.ts'
import { lockSession, replaceCredential, type Session } from './session-store.ts'
import { findUser } from './user-store.ts'

export type RefreshResult =
  | { readonly kind: 'renewed'; readonly session: OpenedSession }
  /** `ended` is to be told to every process. */
  | { readonly kind: 'refused'; readonly ended: readonly EndedCredential[] }

/** Renews a session. Each refresh credential gives one successor, however many present it at once. */
export async function refreshSession(
  { database, signingKey }: { readonly database: Database; readonly signingKey: () => SigningKey },
  text: string,
  origin: Origin,
): Promise<RefreshResult> {
  const credential = readRefreshCredential(text)
  if (credential === undefined) return REFUSED
  const { accountId, sessionId } = credential
  return runTransaction(database.forAccount(accountId), async (tx) => {
    const session = await lockSession(tx, accountId, sessionId)
    if (session === undefined) return REFUSED
    const { kind } = decideRefresh(session, presentedAs(credential, session), origin.nowMs)
    if (kind === 'refuse') return REFUSED
    if (kind === 'end') return endFamily(tx, session, origin.nowMs)
    const subject = await findSubject(tx, session)
    if (subject === undefined) return REFUSED
    const given =
      kind === 'replace' ? await replace(tx, session, credential, origin.nowMs) : repeat(session, credential)
    const country = await origin.countryOf(tx, accountId)
    const { userAgent } = origin
    return {
      kind: 'renewed',
      session: describe(signingKey(), subject, session, given, { userAgent, country }),
    }
  })
}

const REFUSED = { kind: 'refused', ended: [] } as const

function presentedAs(credential: RefreshCredential, session: Session) {
  const hash = hashSecret(credential.secret)
  const matches = hash.equals(session.credentialHash)
    ? 'present'
    : session.replacedHash !== null && hash.equals(session.replacedHash)
      ? 'replaced'
      : 'neither'
  return { number: credential.number, isMarked: isMarked(credential, session.familySecret), matches } as const
}

async function endFamily(tx: Transaction, session: Session, nowMs: number): Promise<RefreshResult> {
  const { accountId, sessionId } = session
  const ended = await endSession(tx, { accountId, sessionId }, 'credential_reused', nowMs)
  const actor = platformActor(accountId, nowMs)
  await recordAudit(tx, actor, {
    action: 'session.end_reused',
    subjectType: session.subjectType,
    subjectId: session.subjectId,
    before: null,
    after: { session_id: sessionId, device_id: session.deviceId },
  })
  return { kind: 'refused', ended }
}

/** Roles as they are now: what was taken from a user is not in the next credential. */
async function findSubject(tx: Transaction, session: Session): Promise<Subject | undefined> {
  const { accountId, subjectType, subjectId } = session
  if (subjectType === 'user') {
    const user = await findUser(tx, accountId, subjectId)
    if (user?.status !== 'ACTIVE') return undefined
    return { accountId, subjectType, subjectId, roles: user.roles, generation: user.generation }
  }
  const key = await findAppKey(tx, accountId, subjectId)
  if (key?.status !== 'ACTIVE') return undefined
  return { accountId, subjectType, subjectId, roles: ['ROLE_ANONYMOUS'], generation: key.generation }
}

interface Given {
  readonly number: number
  readonly secret: Buffer
  readonly atMs: number
}

async function replace(
  tx: Transaction,
  session: Session,
  { secret: old }: RefreshCredential,
  nowMs: number,
): Promise<Given> {
  const [number, secret] = [session.number + 1, newSecret()]
  await replaceCredential(tx, session, {
    number,
    credentialHash: hashSecret(secret),
    // Only who presents the old one again can read the successor; we keep neither.
    sealedSuccessor: seal(old, secret, session.sessionId),
    nowMs,
    expiresMs: nowMs + REFRESH_MS,
  })
  return { number, secret, atMs: nowMs }
}

/** The same successor, and an access credential of the same instant: to the letter what was given before. */
function repeat(session: Session, { secret: old }: RefreshCredential): Given {
  const secret = session.sealedSuccessor && unseal(old, session.sealedSuccessor, session.sessionId)
  if (!secret || session.replacedMs === null) throw new Error('a successor was given and not kept')
  return { number: session.number, secret, atMs: session.replacedMs }
}

function describe(
  key: SigningKey,
  subject: Subject,
  session: Session,
  { number, secret, atMs }: Given,
  { userAgent, country }: Pick<OpenedSession, 'userAgent' | 'country'>,
): OpenedSession {
  const { accountId, sessionId, deviceId, familySecret } = session
  return {
    country,
    userAgent,
    deviceId,
    accessCredential: signAccess(key, subject, { sessionId, deviceId, number }, atMs),
    refreshCredential: printRefreshCredential({ accountId, sessionId, number, secret }, familySecret),
    roles: subject.roles,
  }
}
