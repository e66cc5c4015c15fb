import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Statement, Transaction } from '../../platform/database/database.ts'
import { type EventRecord, subjectTypeOf } from './event-wire.ts'
import { insertEvent } from './store.ts'

/** Records a change of state in the transaction that makes it, so that followers receive the event if and only if it commits. */
export async function recordEvent(tx: Transaction, actor: Actor, event: EventRecord): Promise<void> {
  await rowOf(tx, actor, event).execute()
}

/** The same as a statement, for a transaction that writes more in one round trip. */
export const eventStatement = (tx: Transaction, actor: Actor, event: EventRecord): Statement =>
  rowOf(tx, actor, event)

const rowOf = (tx: Transaction, actor: Actor, event: EventRecord) =>
  insertEvent(tx, {
    ...event,
    subjectType: subjectTypeOf(event.kind),
    accountId: actor.accountId,
    eventId: newId(actor.nowMs),
    atMs: actor.nowMs,
  })
