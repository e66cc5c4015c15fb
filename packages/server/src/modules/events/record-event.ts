import type { Actor } from '../../platform/actor.ts'
import type { Statement, Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { type EventRecord, subjectTypeOf } from './event-wire.ts'
import { insertEvent } from './store.ts'

/** Writes down that a state has changed, in the transaction that changes it: whoever follows learns of both or of neither. */
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
