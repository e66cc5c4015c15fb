import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { insertEvent } from '../store.ts'

/** An event of a channel whose kind may be invented, so that tests can tell events apart by it. */
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
