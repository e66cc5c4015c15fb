import { decodeUpdate } from '@continuity/core/feed/feed-codec'
import {
  type FeedMessage,
  type FeedVersion,
  isNewer,
  type SnapshotMessage,
} from '@continuity/core/feed/feed-message'
import { firstListedMs, hasEnd } from '@continuity/core/feed/late-cut'
import { ticksOf } from '@continuity/core/time/ticks'
import { dropPacked, keptTicks } from '@continuity/core/timeline/codec/packed'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { FeedUnavailable } from '../../platform/feed/errors.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import { SNAPSHOT_EVERY } from '../../platform/feed/feed-stream.ts'
import { findChannel } from '../channels/index.ts'
import { loadFeedChannel } from './feed-channel.ts'
import { exchangeUpdates, type FeedUpdateRecord, hasUpdates, listUpdates } from './feed-store.ts'
import { findTimeline, listRuns, packedOf, type TimelineId } from './timeline-store.ts'

export interface PublishDeps {
  readonly clock: Clock
  readonly publisher: Pick<FeedPublisher, 'publishUpdate'>
  /** The stream has a newer update of a channel than the database, which was therefore restored from a backup. */
  readonly onRestoreFound?: (() => void) | undefined
  /**
   * Plans a channel again whose updates can no longer be published in time. Workers do it; elsewhere the updates are left
   * to them.
   */
  readonly replanLate?: ((db: Db, id: TimelineId) => Promise<boolean>) | undefined
}

export interface PublishJobDeps extends PublishDeps {
  /** Whether the feed accepted the last message. */
  readonly isFeedUp: () => boolean
}

/** From the acknowledgement of an update to the last node that has received it. */
export const DELIVERY_MS = 250

/** When a due row checks again whether everything is published; where the feed is gone, its return publishes it sooner. */
const LOOK_AGAIN_MS = 2_000
const GONE_MS = 30_000

/**
 * Publishes the pending updates of a channel in order, and deletes those that were acknowledged. Not in a transaction,
 * because NATS may be slow. Two concurrent calls publish updates twice, which nodes ignore.
 */
export async function publishUpdates(db: Db, deps: PublishDeps, id: TimelineId): Promise<void> {
  let updates = await listUpdates(db, id)
  while (updates.length > 0) {
    await publishInOrder(db, deps, id, updates)
    updates = await exchangeUpdates(db, id, updates.at(-1)!.version)
  }
}

/** Resolves when the feed has all of them, or the channel was replanned: then others took their place. */
export async function publishInOrder(
  db: Db,
  deps: PublishDeps,
  id: TimelineId,
  updates: readonly FeedUpdateRecord[],
): Promise<void> {
  for (const { body } of updates) {
    const update = decodeUpdate(body)
    if (update === undefined) throw new Error(`an update of the feed of channel ${id.channelId} is corrupt`)
    const leftMs = firstListedMs(update) - DELIVERY_MS - deps.clock()
    if (await isReplanned(db, deps, id, update, leftMs)) return
    await publish(db, deps, id, update, leftMs < 0 ? undefined : leftMs)
  }
  if (updates.some(({ version }) => version % SNAPSHOT_EVERY === 0)) await publishSnapshot(db, deps, id)
}

/** Replans a channel that an update reaches too late. A snapshot also has runs that were published long ago. */
async function isReplanned(
  db: Db,
  { replanLate }: PublishDeps,
  id: TimelineId,
  update: FeedMessage,
  leftMs: number,
): Promise<boolean> {
  if (replanLate !== undefined) return (leftMs < 0 || hasEnd(update)) && replanLate(db, id)
  if (leftMs >= 0 || update.kind === 'whole') return false
  throw FeedUnavailable(new Error(`an update of channel ${id.channelId} can no longer be published in time`))
}

/** False where the stream has a newer update already, published by another process meanwhile. */
async function publish(
  db: Db,
  deps: PublishDeps,
  id: TimelineId,
  update: FeedMessage,
  withinMs?: number,
): Promise<boolean> {
  const newer = await deps.publisher.publishUpdate(id, update, withinMs)
  if (newer !== undefined) await requireCommitted(db, deps, id, newer)
  return newer === undefined
}

/** Updates are committed before they are published: one that the database does not have was lost in a restore. */
async function requireCommitted(
  db: Db,
  { onRestoreFound }: PublishDeps,
  id: TimelineId,
  published: FeedVersion,
): Promise<void> {
  const record = await findTimeline(db, id)
  if (record === undefined || isNewer(published, { epoch: record.feedEpoch, version: record.feedVersion })) {
    onRestoreFound?.()
    throw new Error(`the stream is ahead of the database at channel ${id.channelId}: it was restored`)
  }
}

/** Keeps the due row of a channel for as long as it has unpublished updates. */
export async function keepDueWhileUnpublished(
  tx: Transaction,
  { clock, isFeedUp }: PublishJobDeps,
  id: TimelineId,
): Promise<void> {
  if (!(await hasUpdates(tx, id))) return
  const { accountId, channelId } = id
  await setDue(tx, {
    kind: 'publish_feed',
    subjectId: channelId,
    accountId,
    dueMs: clock() + (isFeedUp() ? LOOK_AGAIN_MS : GONE_MS),
  })
}

/** A channel that changes while its snapshot is loaded and published is loaded again, this often. */
const TRIES = 3

/** Publishes the snapshot of a channel, as far back as a viewer can request it. */
export async function publishSnapshot(db: Db, deps: PublishDeps, id: TimelineId): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const snapshot = await loadSnapshot(db, id, deps.clock())
    if (snapshot === undefined || (await publish(db, deps, id, snapshot))) return
  }
  throw new Error(`channel ${id.channelId} changed ${TRIES} times while its snapshot was published`)
}

/** A channel as the database has it, as far back as a viewer can request it. */
export async function loadSnapshot(
  db: Db,
  id: TimelineId,
  nowMs: number,
): Promise<SnapshotMessage | undefined> {
  const record = await findTimeline(db, id)
  if (record === undefined || record.feedVersion === 0) return undefined
  // A timeline that is not in line is not published: it may differ from what viewers have seen.
  if (!record.isInLine) throw new Error(`the timeline of channel ${id.channelId} is to be rebased`)
  const found = await findChannel(db, id.accountId, id.channelId)
  if (found === undefined) return undefined
  const channel = await loadFeedChannel(db, found)
  const longestMs = Math.max(...channel.outputs.map(({ windowMs }) => windowMs))
  const fromTicks = ticksOf(nowMs) - keptTicks(ticksOf(longestMs))
  const runs = await listRuns(db, id, fromTicks)
  const timeline = dropPacked(packedOf(record.version, runs), fromTicks)
  return { kind: 'whole', epoch: record.feedEpoch, version: record.feedVersion, channel, timeline }
}
