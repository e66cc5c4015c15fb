import { nextState } from '@continuity/core/live/source-state'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { lockFormat } from '../accounts/index.ts'
import { recordSourceWrite } from './record-write.ts'
import { requireSourceLocked } from './require-source.ts'
import { type LiveSource, updateState } from './store.ts'
import { syncSoon } from './sync-source.ts'

/** What an operator orders. Where it is so already, or on its way, nothing changes. */
export async function switchSource(
  tx: Transaction,
  actor: Actor,
  sourceId: string,
  order: 'activate' | 'deactivate',
): Promise<LiveSource> {
  const before = await requireSourceLocked(tx, actor.accountId, sourceId)
  const state = nextState(before.state, order)
  if (state === before.state) return before
  // Segments of a source are house segments: from the first one on the format stays.
  if (order === 'activate') await lockFormat(tx, actor.accountId, actor.nowMs)
  const after = await updateState(tx, before, { state, detail: null }, actor)
  await recordSourceWrite(tx, actor, { before, after }, order)
  await syncSoon(tx, after, actor.nowMs)
  return after
}
