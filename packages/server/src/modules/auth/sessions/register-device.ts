import { type Database, runTransaction } from '../../../platform/database/database.ts'
import type { SigningKey } from '../credentials/access-token.ts'
import { isSecretOf, readSdkKey } from '../credentials/sdk-key.ts'
import { type AppKey, findAppKey, recordUse } from '../records/app-key-store.ts'
import { countDevice } from './login-limits.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'

export interface DeviceParams {
  readonly appName: string
  readonly sdkKey: string
}

export type DeviceResult =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'too_many_tries'; readonly retryAfterSeconds: number }

/** Opens an anonymous session for a device of an app. */
export async function registerDevice(
  { database, signingKey }: { readonly database: Database; readonly signingKey: () => SigningKey },
  params: DeviceParams,
  origin: Origin,
): Promise<DeviceResult> {
  const { nowMs } = origin
  const limit = await countDevice(database.platform, origin.addressGroup, nowMs)
  if (limit.kind === 'rejected') return { ...limit, kind: 'too_many_tries' }
  const appKey = await findGoodKey(database, params)
  if (appKey === undefined) return { kind: 'rejected' }
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
  { appName, sdkKey }: DeviceParams,
): Promise<AppKey | undefined> {
  const given = readSdkKey(sdkKey)
  if (given === undefined) return undefined
  const key = await findAppKey(database.forAccount(given.accountId), given.accountId, given.appKeyId)
  if (key === undefined || key.status !== 'ACTIVE' || key.appName !== appName) return undefined
  return isSecretOf(key.keyHash, given) ? key : undefined
}
