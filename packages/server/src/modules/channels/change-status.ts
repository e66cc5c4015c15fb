import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { recordChannelWrite } from './record-write.ts'
import { type Channel, type StatusChange, updateStatus } from './store.ts'

/** Puts a channel that is locked into another status, and tells whoever follows. */
export async function changeStatus(
  tx: Transaction,
  actor: Actor,
  before: Channel,
  change: StatusChange,
): Promise<Channel> {
  const after = await updateStatus(tx, before, change, actor.nowMs)
  await recordChannelWrite(tx, actor, { before, after })
  return after
}
