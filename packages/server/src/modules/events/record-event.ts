import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { type EventRecord, subjectTypeOf } from './event-wire.ts'
import { insertEvent } from './store.ts'

/** Writes down that a state has changed, in the transaction that changes it: whoever follows learns of both or of neither. */
export async function recordEvent(tx: Transaction, actor: Actor, event: EventRecord): Promise<void> {
  await insertEvent(tx, {
    ...event,
    subjectType: subjectTypeOf(event.kind),
    accountId: actor.accountId,
    eventId: newId(actor.nowMs),
    atMs: actor.nowMs,
  })
}
