import { decodeStep } from '@continuity/core/feed/feed-codec'
import {
  type FeedMessage,
  type FeedVersion,
  isNewer,
  type WholeMessage,
} from '@continuity/core/feed/feed-message'
import { ticksOf } from '@continuity/core/time/ticks'
import { forgetPacked, keptTicks } from '@continuity/core/timeline/packed'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import { WHOLE_EVERY } from '../../platform/feed/feed-stream.ts'
import { findChannel } from '../channels/index.ts'
import { loadFeedChannel } from './feed-channel.ts'
import { exchangeSteps, type FeedStepRecord, hasSteps, listSteps } from './feed-store.ts'
import { findTimeline, listRuns, packedOf, type TimelineId } from './timeline-store.ts'

export interface PublishDeps {
  readonly clock: Clock
  readonly publisher: Pick<FeedPublisher, 'publishStep'>
  /** Whether the feed took the last thing that it was told. */
  readonly isFeedUp: () => boolean
  /** The stream holds a newer update of a channel than the database, which was therefore restored from a backup. */
  readonly onRestoreFound?: (() => void) | undefined
}

export type TellDeps = Omit<PublishDeps, 'isFeedUp'>

/** Whether all is published is looked at again after this; where the feed is gone, its return brings it about sooner. */
const LOOK_AGAIN_MS = 2_000
const GONE_MS = 30_000

/**
 * Publishes what a channel's feed has to tell, in order; what was acknowledged is done with. In no transaction: NATS may
 * take its time. Two who do it at once tell nodes twice, which changes nothing there.
 */
export async function publishSteps(db: Db, deps: TellDeps, id: TimelineId): Promise<void> {
  let steps = await listSteps(db, id)
  while (steps.length > 0) {
    await publishInOrder(db, deps, id, steps)
    steps = await exchangeSteps(db, id, steps.at(-1)!.version)
  }
}

/** Settles when the feed has all of them. */
export async function publishInOrder(
  db: Db,
  deps: TellDeps,
  id: TimelineId,
  steps: readonly FeedStepRecord[],
): Promise<void> {
  for (const { body } of steps) {
    const step = decodeStep(body)
    if (step === undefined) throw new Error(`an update of the feed of channel ${id.channelId} is corrupt`)
    await publish(db, deps, id, step)
  }
  if (steps.some(({ version }) => version % WHOLE_EVERY === 0)) await publishWhole(db, deps, id)
}

/** False where the stream has a newer update already, published by another process meanwhile. */
async function publish(db: Db, deps: TellDeps, id: TimelineId, step: FeedMessage): Promise<boolean> {
  const newer = await deps.publisher.publishStep(id, step)
  if (newer !== undefined) await requireCommitted(db, deps, id, newer)
  return newer === undefined
}

/** Whatever is published was committed before. An update that the database does not know was lost in a restore. */
async function requireCommitted(
  db: Db,
  { onRestoreFound }: TellDeps,
  id: TimelineId,
  published: FeedVersion,
): Promise<void> {
  const record = await findTimeline(db, id)
  if (record === undefined || isNewer(published, { epoch: record.feedEpoch, version: record.feedVersion })) {
    onRestoreFound?.()
    throw new Error(`the stream is ahead of the database at channel ${id.channelId}: it was restored`)
  }
}

/** Keeps the row of a channel due for as long as it has steps that are not published. */
export async function lookForSteps(
  tx: Transaction,
  { clock, isFeedUp }: PublishDeps,
  id: TimelineId,
): Promise<void> {
  if (!(await hasSteps(tx, id))) return
  const { accountId, channelId } = id
  await setDue(tx, {
    kind: 'publish_feed',
    subjectId: channelId,
    accountId,
    dueMs: clock() + (isFeedUp() ? LOOK_AGAIN_MS : GONE_MS),
  })
}

/** A channel that changes faster than it can be loaded and published is loaded again, this often. */
const TRIES = 3

/** Publishes the snapshot of a channel, as far back as a viewer can request it. */
export async function publishWhole(db: Db, deps: TellDeps, id: TimelineId): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const whole = await loadWhole(db, id, deps.clock())
    if (whole === undefined || (await publish(db, deps, id, whole))) return
  }
  throw new Error(`channel ${id.channelId} changed ${TRIES} times while its snapshot was published`)
}

async function loadWhole(db: Db, id: TimelineId, nowMs: number): Promise<WholeMessage | undefined> {
  const record = await findTimeline(db, id)
  if (record === undefined || record.feedVersion === 0) return undefined
  // What is not in line is not published: it would be taken for what viewers have seen.
  if (!record.isInLine) throw new Error(`the timeline of channel ${id.channelId} is to be rebased`)
  const found = await findChannel(db, id.accountId, id.channelId)
  if (found === undefined) return undefined
  const channel = await loadFeedChannel(db, found)
  const longestMs = Math.max(...channel.outputs.map(({ windowMs }) => windowMs))
  const fromTicks = ticksOf(nowMs) - keptTicks(ticksOf(longestMs))
  const runs = await listRuns(db, id, fromTicks)
  const timeline = forgetPacked(packedOf(record.version, runs), fromTicks)
  return { kind: 'whole', epoch: record.feedEpoch, version: record.feedVersion, channel, timeline }
}
