import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'

export type PauseReason = 'USER' | 'GONE' | 'FAILING'

export interface WebhookFields {
  readonly url: string
  readonly description: string
  readonly kinds: readonly string[]
  readonly status: 'ACTIVE' | 'PAUSED'
  readonly statusReason: PauseReason | null
  readonly statusMs: number
  /** Encrypted, as is the previous one. */
  readonly secret: Buffer
  readonly previousSecret: Buffer | null
  readonly previousSecretUntilMs: number | null
}

/** The fields that a user may change. */
export type WebhookChanges = Partial<
  Pick<WebhookFields, 'url' | 'description' | 'kinds' | 'status' | 'previousSecretUntilMs'>
>

export interface Webhook extends WebhookFields {
  readonly accountId: string
  readonly webhookId: string
  readonly version: number
  readonly createdMs: number
  readonly createdUserId: string
  readonly updatedMs: number
  readonly updatedUserId: string
}

interface WebhookTable {
  account_id: string
  webhook_id: string
  url: string
  description: string
  kinds: string[]
  status: Webhook['status']
  status_reason: PauseReason | null
  status_ms: number
  secret: Buffer
  previous_secret: Buffer | null
  previous_secret_until_ms: number | null
  version: number
  created_ms: number
  created_user_id: string
  updated_ms: number
  updated_user_id: string
  deleted_ms: number | null
}

const on = tables<{ webhooks: WebhookTable }>()

const columns = [
  'account_id as accountId',
  'webhook_id as webhookId',
  'url',
  'description',
  'kinds',
  'status',
  'status_reason as statusReason',
  'status_ms as statusMs',
  'secret',
  'previous_secret as previousSecret',
  'previous_secret_until_ms as previousSecretUntilMs',
  'version',
  'created_ms as createdMs',
  'created_user_id as createdUserId',
  'updated_ms as updatedMs',
  'updated_user_id as updatedUserId',
] as const

interface Writer {
  readonly nowMs: number
  readonly userId: string | null
}

export async function insertWebhook(
  tx: Transaction,
  { accountId, webhookId }: Pick<Webhook, 'accountId' | 'webhookId'>,
  fields: WebhookFields,
  { nowMs, userId }: Writer,
): Promise<Webhook> {
  return on(tx)
    .insertInto('webhooks')
    .values({
      account_id: accountId,
      webhook_id: webhookId,
      ...columnsOf(fields),
      version: 1,
      created_ms: nowMs,
      created_user_id: userId ?? '',
      updated_ms: nowMs,
      updated_user_id: userId ?? '',
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The webhook must be locked. */
export async function updateWebhook(
  tx: Transaction,
  webhook: Webhook,
  changes: Partial<WebhookFields>,
  writer: Writer,
): Promise<Webhook> {
  return ofLocked(tx, webhook)
    .set({ ...columnsOf({ ...webhook, ...changes }), ...written(webhook, writer) })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The webhook must be locked. Its row stays as long as its deliveries; its secrets are deleted. */
export async function markWebhookDeleted(tx: Transaction, webhook: Webhook, writer: Writer): Promise<void> {
  await ofLocked(tx, webhook)
    .set({
      deleted_ms: writer.nowMs,
      secret: Buffer.alloc(0),
      previous_secret: null,
      previous_secret_until_ms: null,
      ...written(webhook, writer),
    })
    .execute()
}

export async function findWebhook(
  db: Db,
  accountId: string,
  webhookId: string,
): Promise<Webhook | undefined> {
  return one(db, accountId, webhookId).executeTakeFirst()
}

export async function lockWebhook(
  tx: Transaction,
  accountId: string,
  webhookId: string,
): Promise<Webhook | undefined> {
  return one(tx, accountId, webhookId).forNoKeyUpdate().executeTakeFirst()
}

/** The oldest first, after `after`. */
export async function listWebhooks(
  db: Db,
  accountId: string,
  after: string | undefined,
  limit: number,
): Promise<readonly Webhook[]> {
  return present(db, accountId)
    .select(columns)
    .$if(after !== undefined, (query) => query.where('webhook_id', '>', after!))
    .orderBy('webhook_id')
    .limit(limit)
    .execute()
}

export async function countWebhooks(db: Db, accountId: string): Promise<number> {
  const row = await present(db, accountId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

/** Locks the creation of webhooks for the account until the transaction ends, then counts. */
export async function countWebhooksLocked(tx: Transaction, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('webhooks'), hashtext(${accountId}))`.execute(tx)
  return countWebhooks(tx, accountId)
}

const present = (db: Db, accountId: string) =>
  on(db).selectFrom('webhooks').where('account_id', '=', accountId).where('deleted_ms', 'is', null)

const one = (db: Db, accountId: string, webhookId: string) =>
  present(db, accountId).select(columns).where('webhook_id', '=', webhookId)

const ofLocked = (tx: Transaction, { accountId, webhookId }: Webhook) =>
  on(tx).updateTable('webhooks').where('account_id', '=', accountId).where('webhook_id', '=', webhookId)

const written = ({ version }: Webhook, { nowMs, userId }: Writer) => ({
  version: version + 1,
  updated_ms: nowMs,
  updated_user_id: userId ?? '',
})

const columnsOf = (fields: WebhookFields) => ({
  url: fields.url,
  description: fields.description,
  kinds: [...fields.kinds],
  status: fields.status,
  status_reason: fields.statusReason,
  status_ms: fields.statusMs,
  secret: fields.secret,
  previous_secret: fields.previousSecret,
  previous_secret_until_ms: fields.previousSecretUntilMs,
})
