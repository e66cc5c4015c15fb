import { newId } from '../../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../../platform/database/database.ts'
import { type SigningKey, signToken } from '../credentials/access-token.ts'
import { hashSecret, newSecret, printRefreshCredential } from '../credentials/refresh-credential.ts'
import { insertSession, type Session } from '../records/session-store.ts'

export const ACCESS_MS = 60 * 60 * 1_000
export const REFRESH_MS = 30 * 24 * 60 * 60 * 1_000

/** The user or app that a session belongs to, in its current state. */
export interface Subject {
  readonly accountId: string
  readonly subjectType: 'user' | 'app'
  readonly subjectId: string
  readonly roles: readonly string[]
  readonly generation: number
}

/** Where a session is opened or renewed from. */
export interface Origin {
  readonly userAgent: string
  /** The key by which attempts are counted. */
  readonly addressGroup: string
  readonly countryOf: (db: Db, accountId: string) => Promise<string>
  readonly nowMs: number
}

/** A session as it is returned to the client. */
export interface OpenedSession {
  readonly country: string
  readonly userAgent: string
  readonly deviceId: string
  readonly accessCredential: string
  readonly refreshCredential: string
  readonly roles: readonly string[]
}

/** Opens a session for a new device. */
export async function openSession(
  tx: Transaction,
  key: SigningKey,
  subject: Subject,
  { userAgent, countryOf, nowMs }: Origin,
): Promise<OpenedSession> {
  const { accountId, subjectType, subjectId, roles } = subject
  const country = await countryOf(tx, accountId)
  const [sessionId, deviceId] = [newId(nowMs), newId(nowMs)]
  const [familySecret, secret] = [newSecret(), newSecret()]
  await insertSession(tx, {
    accountId,
    sessionId,
    subjectType,
    subjectId,
    deviceId,
    userAgent,
    country,
    familySecret,
    credentialHash: hashSecret(secret),
    begunMs: nowMs,
    expiresMs: nowMs + REFRESH_MS,
  })
  return {
    country,
    userAgent,
    deviceId,
    accessCredential: signAccess(key, subject, { sessionId, deviceId, number: 0 }, nowMs),
    refreshCredential: printRefreshCredential({ accountId, sessionId, number: 0, secret }, familySecret),
    roles,
  }
}

/**
 * The same arguments give the same credential, byte for byte, so that a repeated refresh returns the same one. The
 * number of its refresh credential is part of its id, so that each refresh gives another one.
 */
export function signAccess(
  key: SigningKey,
  { accountId, subjectId, roles, generation }: Subject,
  { sessionId, deviceId, number }: Pick<Session, 'sessionId' | 'deviceId' | 'number'>,
  issuedMs: number,
): string {
  const expiresMs = issuedMs + ACCESS_MS
  const claims = { accountId, subjectId, deviceId, sessionId, roles, generation, issuedMs, expiresMs }
  return signToken(key, claims, `${sessionId}.${number}`)
}
