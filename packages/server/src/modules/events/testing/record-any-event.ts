import type { Actor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { insertEvent } from '../store.ts'

/** An event of a channel with any kind, so that tests can distinguish events by kind. */
export async function recordAnyEvent(
  tx: Transaction,
  { accountId, nowMs }: Actor,
  kind: string,
  subjectId: string,
): Promise<void> {
  await insertEvent(tx, {
    kind,
    subjectType: 'linear_channel',
    subjectId,
    data: { linear_channel_id: subjectId },
    accountId,
    eventId: newId(nowMs),
    atMs: nowMs,
  }).execute()
}
