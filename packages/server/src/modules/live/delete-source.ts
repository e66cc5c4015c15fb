import { isDeletable, statusOf } from '@continuity/core/live/source-state'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { SourceInUse } from './errors.ts'
import { recordSourceWrite } from './record-write.ts'
import { requireSourceLocked } from './require-source.ts'
import { type LiveSource, markSourceDeleted } from './store.ts'
import { syncSoon } from './sync-source.ts'

/** Deletes a source that is IDLE or in ERROR. `check` is called with the current record, locked. */
export async function deleteSource(
  tx: Transaction,
  actor: Actor,
  sourceId: string,
  check: (source: LiveSource) => void,
): Promise<void> {
  const before = await requireSourceLocked(tx, actor.accountId, sourceId)
  check(before)
  if (!isDeletable(before.state)) {
    throw SourceInUse(`The live source is ${statusOf(before.state)}. Deactivate it before deleting it.`)
  }
  await markSourceDeleted(tx, before, actor)
  await recordSourceWrite(tx, actor, { before, after: null })
  await syncSoon(tx, before, actor.nowMs)
}
