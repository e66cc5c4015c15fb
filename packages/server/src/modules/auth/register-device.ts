import { type Database, runTransaction } from '../../platform/database/database.ts'
import type { SigningKey } from './access-token.ts'
import { type AppKey, findAppKey, recordUse } from './app-key-store.ts'
import { countDevice } from './login-limits.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'
import { isSecretOf, readSdkKey } from './sdk-key.ts'

export interface DeviceOrder {
  readonly appName: string
  readonly sdkKey: string
}

export type DeviceResult =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many_tries'; readonly retryAfterSeconds: number }

/** Opens an anonymous session for a device of an app. */
export async function registerDevice(
  { database, signingKey }: { readonly database: Database; readonly signingKey: () => SigningKey },
  order: DeviceOrder,
  origin: Origin,
): Promise<DeviceResult> {
  const { nowMs } = origin
  const limit = await countDevice(database.platform, origin.addressGroup, nowMs)
  if (limit.kind === 'refused') return { ...limit, kind: 'too_many_tries' }
  const appKey = await findGoodKey(database, order)
  if (appKey === undefined) return { kind: 'refused' }
  const { accountId, appKeyId, generation } = appKey
  const subject = {
    accountId,
    subjectType: 'app',
    subjectId: appKeyId,
    roles: ['ROLE_ANONYMOUS'],
    generation,
  } as const
  const session = await runTransaction(database.forAccount(accountId), async (tx) => {
    await recordUse(tx, appKey, nowMs)
    return openSession(tx, signingKey(), subject, origin)
  })
  return { kind: 'opened', session }
}

async function findGoodKey(
  database: Database,
  { appName, sdkKey }: DeviceOrder,
): Promise<AppKey | undefined> {
  const given = readSdkKey(sdkKey)
  if (given === undefined) return undefined
  const key = await findAppKey(database.forAccount(given.accountId), given.accountId, given.appKeyId)
  if (key === undefined || key.status !== 'ACTIVE' || key.appName !== appName) return undefined
  return isSecretOf(key.keyHash, given) ? key : undefined
}
