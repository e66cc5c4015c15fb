import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { seal, unseal } from '../platform/crypto/seal.ts'
import { type Db, postpone, type Transaction, tables } from '../platform/database/database.ts'
import { Answer, answeredText } from './answer.ts'
import { KeyReused } from './errors.ts'

/** How long a repeated request gets the first answer. */
const KEPT_MS = 24 * 60 * 60 * 1_000

export interface IdempotentRequest {
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
 * Executes a request once per key. The key is written in the transaction of the effect, so that neither exists without
 * the other.
 *
 * A copy that arrives meanwhile waits in PostgreSQL for the key of the first, and then finds its answer. Errors are not
 * stored: nothing was done.
 */
export async function once<T>(
  tx: Transaction,
  request: IdempotentRequest,
  work: () => Promise<T | Answer<T>>,
): Promise<T | Answer<T>> {
  const keyHash = digest(request.key)
  const requestHash = digestOfRequest(request)
  if (!(await claim(tx, request, keyHash, requestHash))) return findAnswer(tx, request, keyHash, requestHash)

  const result = await work()
  const { text, etag } = textOf(result)
  const stored = on(tx)
    .updateTable('idempotency_keys')
    .set({ sealed_answer: seal(secretOf(request), Buffer.from(text), CONTEXT), etag })
    .where('account_id', '=', request.accountId)
    .where('key_hash', '=', keyHash)
  await postpone(tx, [stored])
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

/** The answer may contain a secret, so it can be read only with the key itself, of which the row has only the hash. */
const CONTEXT = 'idempotency'
const secretOf = ({ accountId, key }: IdempotentRequest) => `${accountId} ${key}`

/** Keyed: a request may contain a password, and a plain hash could be guessed by a reader of the row. */
const digestOfRequest = (request: IdempotentRequest) =>
  createHmac('sha256', secretOf(request))
    .update(JSON.stringify([request.operationId, request.params, request.query, request.body]))
    .digest()

/** Whether the key is ours now. An expired one is taken over. */
async function claim(
  tx: Transaction,
  { accountId, nowMs }: IdempotentRequest,
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
  request: IdempotentRequest,
  keyHash: Buffer,
  requestHash: Buffer,
): Promise<Answer<never>> {
  const row = await on(tx)
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'sealed_answer', 'etag'])
    .where('account_id', '=', request.accountId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow()
  if (!row.request_hash.equals(requestHash)) throw KeyReused()
  const text = row.sealed_answer === null ? undefined : unseal(secretOf(request), row.sealed_answer, CONTEXT)
  if (text === undefined) throw new Error('an idempotency key has no stored answer')
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

/** Deletes a bounded number of expired keys and returns their number. */
export async function purgeIdempotencyKeys(platform: Db, nowMs: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    select forget_idempotency_keys(${nowMs}, 1000) as gone`.execute(platform)
  return rows[0]!.gone
}
