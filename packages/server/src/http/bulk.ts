import type { Actor } from '../platform/actor.ts'
import { forEachConcurrent } from '../platform/concurrency/for-each-concurrent.ts'
import { type Database, runTransaction, type Transaction } from '../platform/database/database.ts'
import { AppError } from '../platform/errors.ts'
import { Answer } from './answer.ts'
import { once } from './idempotency.ts'
import type { Principal } from './principal.ts'

export interface BulkCall<Item> {
  readonly operationId: string
  readonly principal: Principal
  readonly params: unknown
  readonly body: readonly Item[]
  readonly idempotencyKey: string | undefined
  readonly requestId: string
  readonly nowMs: number
}

export interface BulkWork<Item, Result> {
  /** The record of an item. */
  readonly idOf: (item: Item) => string
  /** In a transaction per item. An AppError is the item's result, and nothing is committed. */
  readonly change: (tx: Transaction, item: Item, actor: Actor) => Promise<Result>
  /** After the commit, also of a repeated call. An AppError is the item's result. */
  readonly publish: (item: Item) => Promise<void>
  readonly errorResult: (item: Item, error: AppError) => Promise<Result>
}

/** Concurrent items: each uses a database connection, of which other calls need some. */
const CONCURRENCY = 6

/** Changes many records, each on its own: a failed item does not affect the others. */
export async function forEachItem<Item, Result>(
  database: Database,
  { operationId, principal, params, body, idempotencyKey, requestId, nowMs }: BulkCall<Item>,
  { idOf, change, publish, errorResult }: BulkWork<Item, Result>,
): Promise<Result[]> {
  const { accountId, subjectId } = principal
  const actor = { accountId, userId: subjectId, requestId, nowMs }
  const results: Result[] = []
  const changeOnce = (tx: Transaction, item: Item) => {
    const run = () => change(tx, item, actor)
    if (idempotencyKey === undefined) return run()
    const key = `${idempotencyKey} ${idOf(item)}`
    return once(tx, { accountId, key, operationId, params, query: undefined, body: item, nowMs }, run)
  }
  const setError = async (at: number, error: unknown) => {
    if (!(error instanceof AppError)) throw error
    results[at] = await errorResult(body[at]!, error)
  }
  const failures: Promise<{ readonly error: unknown } | undefined>[] = [] // of publishing, by item
  const items = [...body.entries()]
  try {
    await forEachConcurrent(items, CONCURRENCY, async ([at, item]) => {
      try {
        const done = await runTransaction(database.forAccount(accountId), (tx) => changeOnce(tx, item))
        results[at] = done instanceof Answer ? (JSON.parse(done.text ?? 'null') as Result) : done
      } catch (error) {
        return setError(at, error)
      }
      // The next item does not wait for the publish.
      failures[at] = publish(item).then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
    })
  } finally {
    await Promise.all(failures)
  }
  await forEachConcurrent(items, CONCURRENCY, async ([at]) => {
    const failure = await failures[at]
    if (failure !== undefined) await setError(at, failure.error)
  })
  return results
}
