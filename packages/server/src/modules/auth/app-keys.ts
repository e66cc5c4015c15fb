import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/index.ts'
import { type AppKey, insertAppKey, lockAppKey, updateRevoked } from './app-key-store.ts'
import { endCredentialsOf } from './end-session.ts'
import type { EndedCredential } from './ended-store.ts'
import { AppKeyNotFound } from './errors.ts'
import { newSdkKey } from './sdk-key.ts'

export interface NewAppKey {
  readonly appKey: AppKey
  /** The key itself, which is never known again. */
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
 * Its devices are out at once, by one entry for all of them: their refresh finds
 * the key revoked. Gives what is to be told to every process after the commit.
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
