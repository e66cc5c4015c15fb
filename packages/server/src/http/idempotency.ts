import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../platform/database/database.ts'
import { seal, unseal } from '../platform/seal.ts'
import { Answer, answeredText } from './answer.ts'
import { KeyReused } from './errors.ts'

/** How long the same order is answered with what was answered first. */
const KEPT_MS = 24 * 60 * 60 * 1_000

export interface Order {
  readonly accountId: string
  /** The caller's Idempotency-Key. */
  readonly key: string
  readonly operationId: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly nowMs: number
}

/**
 * Carries an order out once. The key is written in the transaction of the
 * effect: one cannot be without the other.
 *
 * A second copy that arrives meanwhile waits in PostgreSQL for the first one's
 * key, and then finds its answer. Refusals are not kept: nothing was done.
 */
export async function once<T>(
  tx: Transaction,
  order: Order,
  work: () => Promise<T | Answer<T>>,
): Promise<T | Answer<T>> {
  const keyHash = digest(order.key)
  const requestHash = digestOfRequest(order)
  if (!(await claim(tx, order, keyHash, requestHash))) return findAnswer(tx, order, keyHash, requestHash)

  const result = await work()
  const { text, etag } = textOf(result)
  await on(tx)
    .updateTable('idempotency_keys')
    .set({ sealed_answer: seal(secretOf(order), Buffer.from(text), CONTEXT), etag })
    .where('account_id', '=', order.accountId)
    .where('key_hash', '=', keyHash)
    .execute()
  return result
}

interface KeyRow {
  account_id: string
  key_hash: Buffer
  request_hash: Buffer
  sealed_answer: Buffer | null
  etag: string | null
  expires_ms: number
}

const on = tables<{ idempotency_keys: KeyRow }>()

/** The answer can be read only with the key itself, of which the row has but the hash: it may hold a secret. */
const CONTEXT = 'idempotency'
const secretOf = ({ accountId, key }: Order) => `${accountId} ${key}`

/** With the key as well: a request may hold a password, and its bare hash could be tried out by who reads the row. */
const digestOfRequest = (order: Order) =>
  createHmac('sha256', secretOf(order))
    .update(JSON.stringify([order.operationId, order.params, order.query, order.body]))
    .digest()

/** Whether the key is ours now. One that has expired is taken over. */
async function claim(
  tx: Transaction,
  { accountId, nowMs }: Order,
  keyHash: Buffer,
  requestHash: Buffer,
): Promise<boolean> {
  const expires = { expires_ms: nowMs + KEPT_MS }
  const { numInsertedOrUpdatedRows } = await on(tx)
    .insertInto('idempotency_keys')
    .values({ account_id: accountId, key_hash: keyHash, request_hash: requestHash, ...NOTHING, ...expires })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'key_hash'])
        .doUpdateSet({ request_hash: requestHash, ...NOTHING, ...expires })
        .where('idempotency_keys.expires_ms', '<=', nowMs),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

const NOTHING = { sealed_answer: null, etag: null }

async function findAnswer(
  tx: Transaction,
  order: Order,
  keyHash: Buffer,
  requestHash: Buffer,
): Promise<Answer<never>> {
  const row = await on(tx)
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'sealed_answer', 'etag'])
    .where('account_id', '=', order.accountId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow()
  if (!row.request_hash.equals(requestHash)) throw KeyReused()
  const text = row.sealed_answer === null ? undefined : unseal(secretOf(order), row.sealed_answer, CONTEXT)
  if (text === undefined) throw new Error('an order was kept without its answer')
  return answeredText(text.toString(), { etag: row.etag ?? undefined })
}

function textOf(result: unknown): { text: string; etag: string | null } {
  if (result instanceof Answer) {
    return { text: result.text ?? stringify(result.body), etag: result.etag ?? null }
  }
  return { text: stringify(result), etag: null }
}

const stringify = (body: unknown) => (body === undefined ? '' : JSON.stringify(body))
const digest = (text: string) => createHash('sha256').update(text).digest()

/** Deletes keys that have expired, a bounded number of them, and tells how many. */
export async function forgetKeys(platform: Db, nowMs: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    select forget_idempotency_keys(${nowMs}, 1000) as gone`.execute(platform)
  return rows[0]!.gone
}
