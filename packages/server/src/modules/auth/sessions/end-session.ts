import type { Transaction } from '../../../platform/database/database.ts'
import { type EndedCredential, insertEnded } from '../records/ended-store.ts'
import { type EndedReason, endSessions } from '../records/session-store.ts'

/** Ends one session. Returns the entries to publish after the commit. */
export async function endSession(
  tx: Transaction,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
  reason: EndedReason,
  nowMs: number,
): Promise<readonly EndedCredential[]> {
  const ids = await endSessions(tx, accountId, { sessionId }, reason, nowMs)
  const ended = ids.map((id) => ({ kind: 'session', id, generation: 0, endedMs: nowMs }) as const)
  await insertEnded(tx, ended)
  return ended
}

/**
 * Revokes the access credentials of a user or an app that are older than
 * `generation`, in one entry, because an app may have a million devices. A session
 * that may still refresh gets a credential of the new generation.
 */
export async function endCredentialsOf(
  tx: Transaction,
  subjectId: string,
  generation: number,
  nowMs: number,
): Promise<readonly EndedCredential[]> {
  const ended = [{ kind: 'subject', id: subjectId, generation, endedMs: nowMs }] as const
  await insertEnded(tx, ended)
  return ended
}
