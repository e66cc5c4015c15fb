import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import type { Channel } from '../channels/index.ts'
import { commitUpdate } from './commit-run.ts'
import { loadFeedChannel } from './feed-channel.ts'
import { endPlans } from './off-air.ts'
import { noteGuideChange } from './publish-guide.ts'
import { lockTimeline } from './timeline-store.ts'

/** Another slate changes nothing within the next minute. */
const SLATES_MS = 65_000

/**
 * Publishes what has changed of a channel or its outputs to playout nodes. Where its slates have changed, what is planned
 * with the old ones is planned anew. The channel is locked.
 */
export async function publishChange(
  tx: Transaction,
  actor: Actor,
  channel: Channel,
  what: 'changed' | 'slates' | 'deleted',
): Promise<void> {
  const { nowMs } = actor
  const record = await lockTimeline(tx, channel)
  // A channel that was never started is not published.
  if (record === undefined || record.feedVersion === 0) return
  const loaded = await loadFeedChannel(tx, channel)
  if (what === 'deleted') await endPlans(tx, actor, channel)
  const published = what === 'deleted' ? { ...loaded, outputs: [] } : loaded
  const version = record.feedVersion + 1
  const changedMs =
    what === 'slates' ? Math.min(record.changedMs ?? SLATES_MS + nowMs, SLATES_MS + nowMs) : record.changedMs
  await commitUpdate(
    tx,
    { ...record, changedMs },
    { kind: 'change', epoch: record.feedEpoch, version, channel: published, runs: [], settled: [] },
    nowMs,
  )
  if (what === 'deleted') await noteGuideChange(tx, channel, nowMs)
  if (what !== 'slates') return
  const { accountId, channelId } = channel
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
}
