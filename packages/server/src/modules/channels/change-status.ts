import type { Actor } from '../../platform/actor.ts'
import type { Statement, Transaction } from '../../platform/database/database.ts'
import { recordChannelWrite, writeStatements } from './record-write.ts'
import {
  type Channel,
  type OverrideChange,
  type StatusChange,
  updateOverride,
  updateStatus,
} from './store.ts'

/** Changes the status of a locked channel, with an audit record and an event. */
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

/** Something else overrides a channel that is locked and on air: as statements, because every cut waits for them. */
export function overrideStatements(
  tx: Transaction,
  actor: Actor,
  before: Channel,
  override: OverrideChange,
): { readonly after: Channel; readonly statements: readonly Statement[] } {
  const after = {
    ...before,
    overrideStatus: override.status,
    overrideSourceId: override.sourceId,
    scheduledMs: override.scheduledMs,
    version: before.version + 1,
    updatedMs: actor.nowMs,
  }
  return { after, statements: [updateOverride(tx, after), ...writeStatements(tx, actor, { before, after })] }
}
