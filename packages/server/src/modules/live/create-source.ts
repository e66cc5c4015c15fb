import {
  fillLiveSource,
  LIVE_SOURCES_MAXIMUM,
  type LiveSourceDraft,
} from '@continuity/core/live/source-fields'
import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { TooManySources } from './errors.ts'
import { type NamedRecords, requireNamedRecords } from './named-records.ts'
import { recordSourceWrite } from './record-write.ts'
import { countSourcesLocked, insertSource, type LiveSource } from './store.ts'
import { syncSoon } from './sync-source.ts'

/** Creates a source that is IDLE. */
export async function createSource(
  tx: Transaction,
  actor: Actor,
  draft: LiveSourceDraft,
  named: NamedRecords,
): Promise<LiveSource> {
  const { accountId, nowMs } = actor
  await requireNamedRecords(tx, named, accountId, draft)
  if ((await countSourcesLocked(tx, accountId)) >= LIVE_SOURCES_MAXIMUM) throw TooManySources()
  const source = await insertSource(tx, { accountId, sourceId: newId(nowMs) }, fillLiveSource(draft), actor)
  await recordSourceWrite(tx, actor, { before: null, after: source })
  if (source.alwaysKeepReceiverActive) await syncSoon(tx, source, nowMs)
  return source
}
