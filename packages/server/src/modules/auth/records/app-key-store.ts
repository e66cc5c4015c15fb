import { type Db, type Transaction, tables } from '../../../platform/database/database.ts'

export interface AppKey {
  readonly accountId: string
  readonly appKeyId: string
  readonly appName: string
  readonly keyHash: Buffer
  readonly status: 'ACTIVE' | 'REVOKED'
  readonly generation: number
  readonly createdMs: number
  readonly lastUsedMs: number | null
}

interface AppKeyRow {
  account_id: string
  app_key_id: string
  app_name: string
  key_hash: Buffer
  status: 'ACTIVE' | 'REVOKED'
  generation: number
  created_ms: number
  last_used_ms: number | null
  revoked_ms: number | null
}

const on = tables<{ app_keys: AppKeyRow }>()

const columns = [
  'account_id as accountId',
  'app_key_id as appKeyId',
  'app_name as appName',
  'key_hash as keyHash',
  'status',
  'generation',
  'created_ms as createdMs',
  'last_used_ms as lastUsedMs',
] as const

/** All devices of an app use one key: its last use is updated at most once an hour, to spare the row. */
const USE_STEP_MS = 60 * 60 * 1_000

export async function insertAppKey(
  tx: Transaction,
  key: Pick<AppKey, 'accountId' | 'appKeyId' | 'appName' | 'keyHash'>,
  nowMs: number,
): Promise<AppKey> {
  return on(tx)
    .insertInto('app_keys')
    .values({
      account_id: key.accountId,
      app_key_id: key.appKeyId,
      app_name: key.appName,
      key_hash: key.keyHash,
      status: 'ACTIVE',
      generation: 0,
      created_ms: nowMs,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function findAppKey(db: Db, accountId: string, appKeyId: string): Promise<AppKey | undefined> {
  return one(db, accountId, appKeyId).executeTakeFirst()
}

export async function lockAppKey(
  tx: Transaction,
  accountId: string,
  appKeyId: string,
): Promise<AppKey | undefined> {
  return one(tx, accountId, appKeyId).forUpdate().executeTakeFirst()
}

const one = (db: Db, accountId: string, appKeyId: string) =>
  on(db)
    .selectFrom('app_keys')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('app_key_id', '=', appKeyId)

export async function recordUse(tx: Transaction, key: AppKey, nowMs: number): Promise<void> {
  if (key.lastUsedMs !== null && nowMs - key.lastUsedMs < USE_STEP_MS) return
  await on(tx)
    .updateTable('app_keys')
    .set({ last_used_ms: nowMs })
    .where('account_id', '=', key.accountId)
    .where('app_key_id', '=', key.appKeyId)
    .execute()
}

export async function updateRevoked(tx: Transaction, key: AppKey, nowMs: number): Promise<void> {
  await on(tx)
    .updateTable('app_keys')
    .set({ status: 'REVOKED', revoked_ms: nowMs, generation: key.generation + 1 })
    .where('account_id', '=', key.accountId)
    .where('app_key_id', '=', key.appKeyId)
    .execute()
}

/** The oldest first, after `after`. */
export async function listAppKeys(
  db: Db,
  accountId: string,
  after: string | undefined,
  limit: number,
): Promise<readonly AppKey[]> {
  const query = on(db)
    .selectFrom('app_keys')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('app_key_id')
    .limit(limit)
  return (after === undefined ? query : query.where('app_key_id', '>', after)).execute()
}

export async function countAppKeys(db: Db, accountId: string): Promise<number> {
  const row = await on(db)
    .selectFrom('app_keys')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.total
}
