import { nextState } from '@continuity/core/live/source-state'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { lockFormat } from '../accounts/index.ts'
import { SourceInUse } from './errors.ts'
import type { NamedRecords } from './named-records.ts'
import { recordSourceWrite } from './record-write.ts'
import { requireSourceLocked } from './require-source.ts'
import { type LiveSource, updateState } from './store.ts'
import { syncSoon } from './sync-source.ts'

/** Activates or deactivates a source. Does nothing if it is already in that state or on its way to it. */
export async function switchSource(
  tx: Transaction,
  actor: Actor,
  sourceId: string,
  command: 'activate' | 'deactivate',
  { listShowing }: Pick<NamedRecords, 'listShowing'>,
): Promise<LiveSource> {
  const before = await requireSourceLocked(tx, actor.accountId, sourceId)
  const state = nextState(before.state, command)
  if (state === before.state) return before
  if (command === 'deactivate') {
    const channels = await listShowing(tx, actor.accountId, sourceId)
    if (channels.length > 0) throw SourceInUse(shownBy(channels))
  }
  // Segments of a source have the house format, which cannot change after the first one.
  if (command === 'activate') await lockFormat(tx, actor.accountId, actor.nowMs)
  const after = await updateState(tx, before, { state, detail: null }, actor)
  await recordSourceWrite(tx, actor, { before, after }, command)
  await syncSoon(tx, after, actor.nowMs)
  return after
}

/** Channels listed in an error message. */
const NAMED = 10

function shownBy(channels: readonly string[]): string {
  const more = channels.length > NAMED ? ` and ${channels.length - NAMED} more` : ''
  return `Channels show the source: ${channels.slice(0, NAMED).join(', ')}${more}. Return them to their schedule first.`
}
