import { type Transaction, tables } from '../../../platform/database/database.ts'

export interface Session {
  readonly accountId: string
  readonly sessionId: string
  readonly subjectType: 'user' | 'app'
  readonly subjectId: string
  readonly deviceId: string
  readonly expiresMs: number
  readonly endedMs: number | null
  readonly familySecret: Buffer
  readonly number: number
  readonly credentialHash: Buffer
  readonly replacedMs: number | null
  readonly replacedHash: Buffer | null
  readonly sealedSuccessor: Buffer | null
}

export interface NewSession
  extends Pick<Session, 'accountId' | 'sessionId' | 'subjectType' | 'subjectId' | 'deviceId' | 'expiresMs'> {
  readonly userAgent: string
  readonly country: string
  readonly familySecret: Buffer
  readonly credentialHash: Buffer
  readonly begunMs: number
}

interface SessionRow {
  account_id: string
  session_id: string
  subject_type: 'user' | 'app'
  subject_id: string
  device_id: string
  user_agent: string
  country: string
  begun_ms: number
  expires_ms: number
  ended_ms: number | null
  ended_reason: string | null
  family_secret: Buffer
  credential_number: number
  credential_hash: Buffer
  replaced_ms: number | null
  replaced_hash: Buffer | null
  sealed_successor: Buffer | null
}

const on = tables<{ sessions: SessionRow }>()

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  await on(tx)
    .insertInto('sessions')
    .values({
      account_id: session.accountId,
      session_id: session.sessionId,
      subject_type: session.subjectType,
      subject_id: session.subjectId,
      device_id: session.deviceId,
      user_agent: session.userAgent,
      country: session.country,
      begun_ms: session.begunMs,
      expires_ms: session.expiresMs,
      family_secret: session.familySecret,
      credential_number: 0,
      credential_hash: session.credentialHash,
    })
    .execute()
}

/** Locked, so that of concurrent refreshes one replaces the credential and the others find it replaced. */
export async function lockSession(
  tx: Transaction,
  accountId: string,
  sessionId: string,
): Promise<Session | undefined> {
  return on(tx)
    .selectFrom('sessions')
    .select([
      'account_id as accountId',
      'session_id as sessionId',
      'subject_type as subjectType',
      'subject_id as subjectId',
      'device_id as deviceId',
      'expires_ms as expiresMs',
      'ended_ms as endedMs',
      'family_secret as familySecret',
      'credential_number as number',
      'credential_hash as credentialHash',
      'replaced_ms as replacedMs',
      'replaced_hash as replacedHash',
      'sealed_successor as sealedSuccessor',
    ])
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
}

export interface Replacement {
  readonly number: number
  readonly credentialHash: Buffer
  readonly sealedSuccessor: Buffer
  readonly nowMs: number
  readonly expiresMs: number
}

export async function replaceCredential(
  tx: Transaction,
  session: Session,
  { number, credentialHash, sealedSuccessor, nowMs, expiresMs }: Replacement,
): Promise<void> {
  await on(tx)
    .updateTable('sessions')
    .set({
      credential_number: number,
      credential_hash: credentialHash,
      replaced_ms: nowMs,
      replaced_hash: session.credentialHash,
      sealed_successor: sealedSuccessor,
      expires_ms: expiresMs,
    })
    .where('account_id', '=', session.accountId)
    .where('session_id', '=', session.sessionId)
    .execute()
}

export type EndedReason =
  | 'logged_out'
  | 'credential_reused'
  | 'password_changed'
  | 'user_disabled'
  | 'user_deleted'

/** Returns the ids of the sessions that this call ended. */
export async function endSessions(
  tx: Transaction,
  accountId: string,
  which: { readonly sessionId: string } | { readonly subjectId: string },
  reason: EndedReason,
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await on(tx)
    .updateTable('sessions')
    .set({ ended_ms: nowMs, ended_reason: reason, sealed_successor: null })
    .where('account_id', '=', accountId)
    .where('ended_ms', 'is', null)
    .where(
      'sessionId' in which ? 'session_id' : 'subject_id',
      '=',
      'sessionId' in which ? which.sessionId : which.subjectId,
    )
    .returning('session_id')
    .execute()
  return rows.map((row) => row.session_id)
}
