import type { Actor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/index.ts'
import { newSdkKey } from '../credentials/sdk-key.ts'
import { type AppKey, insertAppKey, lockAppKey, updateRevoked } from '../records/app-key-store.ts'
import type { EndedCredential } from '../records/ended-store.ts'
import { AppKeyNotFound } from '../records/errors.ts'
import { endCredentialsOf } from '../sessions/end-session.ts'

export interface NewAppKey {
  readonly appKey: AppKey
  /** The key itself, returned only here: just its hash is stored. */
  readonly sdkKey: string
}

export async function createAppKey(tx: Transaction, actor: Actor, appName: string): Promise<NewAppKey> {
  const { accountId, nowMs } = actor
  const appKeyId = newId(nowMs)
  const { text, hash } = newSdkKey(accountId, appKeyId)
  const appKey = await insertAppKey(tx, { accountId, appKeyId, appName, keyHash: hash }, nowMs)
  await recordAudit(tx, actor, {
    action: 'app_key.create',
    subjectType: 'app_key',
    subjectId: appKeyId,
    before: null,
    after: { app_name: appName, status: 'ACTIVE' },
  })
  return { appKey, sdkKey: text }
}

/**
 * Revokes an app key. One entry revokes the credentials of all its devices; their
 * next refresh fails. Returns the entries to publish after the commit.
 */
export async function revokeAppKey(
  tx: Transaction,
  actor: Actor,
  appKeyId: string,
): Promise<readonly EndedCredential[]> {
  const { accountId, nowMs } = actor
  const key = await lockAppKey(tx, accountId, appKeyId)
  if (key === undefined) throw AppKeyNotFound(appKeyId)
  if (key.status === 'REVOKED') return []
  await updateRevoked(tx, key, nowMs)
  await recordAudit(tx, actor, {
    action: 'app_key.revoke',
    subjectType: 'app_key',
    subjectId: appKeyId,
    before: { app_name: key.appName, status: 'ACTIVE' },
    after: { app_name: key.appName, status: 'REVOKED' },
  })
  return endCredentialsOf(tx, appKeyId, key.generation + 1, nowMs)
}
