import { decideRefresh } from '@continuity/core/sessions/decide-refresh'
import { platformActor } from '../../../platform/actor.ts'
import { seal, unseal } from '../../../platform/crypto/seal.ts'
import { type Database, runTransaction, type Transaction } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/index.ts'
import type { SigningKey } from '../credentials/access-token.ts'
import {
  hashSecret,
  hasValidMac,
  newSecret,
  printRefreshCredential,
  type RefreshCredential,
  readRefreshCredential,
} from '../credentials/refresh-credential.ts'
import { findAppKey } from '../records/app-key-store.ts'
import type { EndedCredential } from '../records/ended-store.ts'
import { lockSession, replaceCredential, type Session } from '../records/session-store.ts'
import { findUser } from '../records/user-store.ts'
import { endSession } from './end-session.ts'
import { type OpenedSession, type Origin, REFRESH_MS, type Subject, signAccess } from './open-session.ts'

export type RefreshResult =
  | { readonly kind: 'renewed'; readonly session: OpenedSession }
  /** `ended` is to be published to every process. */
  | { readonly kind: 'rejected'; readonly ended: readonly EndedCredential[] }

/** Renews a session. Each refresh credential has one successor, however many requests present it at once. */
export async function refreshSession(
  { database, signingKey }: { readonly database: Database; readonly signingKey: () => SigningKey },
  text: string,
  origin: Origin,
): Promise<RefreshResult> {
  const credential = readRefreshCredential(text)
  if (credential === undefined) return REJECTED
  const { accountId, sessionId } = credential
  return runTransaction(database.forAccount(accountId), async (tx) => {
    const session = await lockSession(tx, accountId, sessionId)
    if (session === undefined) return REJECTED
    const { kind } = decideRefresh(session, presentedAs(credential, session), origin.nowMs)
    if (kind === 'reject') return REJECTED
    if (kind === 'end') return endFamily(tx, session, origin.nowMs)
    const subject = await findSubject(tx, session)
    if (subject === undefined) return REJECTED
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

const REJECTED = { kind: 'rejected', ended: [] } as const

function presentedAs(credential: RefreshCredential, session: Session) {
  const hash = hashSecret(credential.secret)
  const matches = hash.equals(session.credentialHash)
    ? 'present'
    : session.replacedHash !== null && hash.equals(session.replacedHash)
      ? 'replaced'
      : 'neither'
  return {
    number: credential.number,
    isGenuine: hasValidMac(credential, session.familySecret),
    matches,
  } as const
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
  return { kind: 'rejected', ended }
}

/** The current roles: a role that was removed is not in the next credential. */
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
    // The successor can be read only with the old secret; neither is stored in the clear.
    sealedSuccessor: seal(old, secret, session.sessionId),
    nowMs,
    expiresMs: nowMs + REFRESH_MS,
  })
  return { number, secret, atMs: nowMs }
}

/** The same successor, and an access credential of the same time: byte for byte what was returned before. */
function repeat(session: Session, { secret: old }: RefreshCredential): Given {
  const secret = session.sealedSuccessor && unseal(old, session.sealedSuccessor, session.sessionId)
  if (!secret || session.replacedMs === null) throw new Error('the session has no stored successor')
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
