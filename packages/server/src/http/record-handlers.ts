import type { AnswerOf, Endpoint } from '@continuity/contract'
import type { Actor } from '../platform/actor.ts'
import { type Database, type Db, runTransaction, type Transaction } from '../platform/database/database.ts'
import type { Call, Handler, HandlerResult } from './bind.ts'
import { once } from './idempotency.ts'
import type { Principal } from './principal.ts'

/** Registers work that runs after the commit, and not after a rollback. */
export type OnCommit = (work: () => void) => void

export type Change<E extends Endpoint> = (
  tx: Transaction,
  call: Call<E>,
  actor: Actor,
  onCommit: OnCommit,
) => Promise<HandlerResult<E>> | NothingToAnswer<E>

/** A function without a result is allowed where there is nothing to answer. */
type NothingToAnswer<E extends Endpoint> = undefined extends AnswerOf<E> ? Promise<void> : never

export type Read<E extends Endpoint> = (db: Db, call: Call<E>) => Promise<HandlerResult<E>>

export interface RecordHandlers {
  /** A handler that reads records of the caller's account. */
  reading<E extends Endpoint>(work: Read<E>): Handler<E>
  /** A handler that changes them in one transaction, which also records the Idempotency-Key. */
  changing<E extends Endpoint>(work: Change<E>): Handler<E>
  /** The same for a handler that has work to do before the transaction starts. */
  change<E extends Endpoint>(call: Call<E>, work: Change<E>): Promise<HandlerResult<E>>
}

export function recordHandlers(database: Database): RecordHandlers {
  async function change<E extends Endpoint>(call: Call<E>, work: Change<E>): Promise<HandlerResult<E>> {
    const { accountId, subjectId } = principalOf(call)
    const { idempotencyKey: key, requestId, nowMs } = call
    const actor = { accountId, userId: subjectId, requestId, nowMs }
    let committed: (() => void)[] = []
    const run = (tx: Transaction) => work(tx, call, actor, (step) => committed.push(step))
    const result = await runTransaction(database.forAccount(accountId), (tx) => {
      committed = []
      return key === undefined ? run(tx) : once(tx, { ...requestOf(call), accountId, key }, () => run(tx))
    })
    for (const step of committed) step()
    return result as HandlerResult<E>
  }

  return {
    reading<E extends Endpoint>(work: Read<E>): Handler<E> {
      return (call) => work(database.forAccount(principalOf(call).accountId), call)
    },
    changing<E extends Endpoint>(work: Change<E>): Handler<E> {
      return (call) => change(call, work)
    },
    change,
  }
}

/** A public operation has no account. */
function principalOf(call: { readonly principal: unknown; readonly operationId: string }): Principal {
  if (call.principal === undefined) throw new Error(`${call.operationId} is public`)
  return call.principal as Principal
}

const requestOf = ({ operationId, params, query, body, nowMs }: Call<Endpoint>) => ({
  operationId,
  params,
  query,
  body,
  nowMs,
})
