import type { LiveSourceFields } from '@continuity/core/live/source-fields'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { type NamedRecords, requireNamedRecords } from './named-records.ts'
import { recordSourceWrite } from './record-write.ts'
import { requireSourceLocked } from './require-source.ts'
import { type LiveSource, updateSource } from './store.ts'
import { syncSoon } from './sync-source.ts'

/**
 * Changes the fields of a source. `check` is called with the current record, locked. Writing the same values again is
 * not a change: the version stays.
 */
export async function changeSource(
  tx: Transaction,
  actor: Actor,
  sourceId: string,
  changes: Partial<LiveSourceFields>,
  check: (source: LiveSource) => void,
  named: NamedRecords,
): Promise<LiveSource> {
  const before = await requireSourceLocked(tx, actor.accountId, sourceId)
  check(before)
  if (isSame(before, changes)) return before
  await requireNamedRecords(tx, named, actor.accountId, changes)
  const after = await updateSource(tx, before, changes, actor)
  await recordSourceWrite(tx, actor, { before, after })
  await syncSoon(tx, after, actor.nowMs)
  return after
}

const isSame = (source: LiveSource, changes: Partial<LiveSourceFields>): boolean =>
  Object.entries(changes).every(
    ([name, value]) => JSON.stringify(source[name as keyof LiveSourceFields]) === JSON.stringify(value),
  )
