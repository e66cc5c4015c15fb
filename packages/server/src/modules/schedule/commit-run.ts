import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import type { FeedChannel, FeedMessage } from '@continuity/core/feed/feed-message'
import { splitRun } from '@continuity/core/planning/make-run'
import { msOf } from '@continuity/core/time/ticks'
import {
  addPacked,
  type PackedRun,
  type PackedTimeline,
  packRun,
} from '@continuity/core/timeline/codec/packed'
import { plannedUntil } from '@continuity/core/timeline/planned-until'
import { applyRun, type Run, type Timeline } from '@continuity/core/timeline/run'
import type { Settled } from '@continuity/core/timeline/settle-run'
import { executeTogether, type Statement, type Transaction } from '../../platform/database/database.ts'
import { FeedUnavailable } from '../../platform/feed/errors.ts'
import { insertUpdate } from './feed-store.ts'
import type { CommittedTimeline } from './load-timeline.ts'
import {
  insertRuns,
  packedOf,
  type StoredRun,
  type TimelineRecord,
  updateEnds,
  updateSettled,
  voidRuns,
} from './timeline-store.ts'

export interface Committed {
  readonly record: TimelineRecord
  readonly timeline: Timeline
}

/**
 * Stores a run, and the feed update that publishes it. The channel is locked.
 *
 * The update contains `channel` where nodes do not have its current state. A worker publishes the update unless the caller
 * does.
 */
export async function commitRun(
  tx: Transaction,
  before: CommittedTimeline,
  run: Run,
  channel: FeedChannel | null,
  nowMs: number,
): Promise<Committed> {
  const { statements, ...committed } = runStatements(before, run, channel, nowMs)
  await executeTogether(tx, statements)
  return committed
}

/**
 * The same as statements, for a transaction that writes more in one round trip. A worker publishes the update after
 * `publishAfterMs`.
 */
export function runStatements(
  before: CommittedTimeline,
  run: Run,
  channel: FeedChannel | null,
  nowMs: number,
  publishAfterMs = 0,
): Committed & { readonly statements: readonly Statement[] } {
  const parts = splitRun(run)
  const packed = parts.map(packRun)
  const kept = packedOf(before.record.version, before.runs)
  const after = packed.reduce(addPacked, kept)
  const timeline = parts.reduce(applyRun, before.timeline)
  const { record } = before

  const untilTicks = plannedUntil(timeline)
  const plannedUntilMs = untilTicks === undefined ? null : msOf(untilTicks)
  const next: TimelineRecord = { ...record, version: after.version, plannedUntilMs, skipTo: null }
  const version = record.feedVersion + 1
  const epoch = record.feedEpoch
  const update: FeedMessage =
    version === 1 && channel !== null
      ? { kind: 'whole', epoch, version, channel, timeline: after }
      : { kind: 'change', epoch, version, channel, runs: packed, settled: [] }
  const added = updateStatement(next, update, nowMs, publishAfterMs)
  const statements = [
    voidRuns(record, run.firstSequence, run.number),
    ...updateEnds(record, changedEnds(kept, after)),
    ...insertRuns(record, storedOf(parts, packed), nowMs),
    added.statement,
  ]
  return { record: added.record, timeline, statements }
}

/** Stores discontinuity numbers that have become final, and publishes them: the logs that they follow from get deleted. */
export async function commitSettled(
  tx: Transaction,
  record: TimelineRecord,
  settled: readonly Settled[],
  nowMs: number,
): Promise<TimelineRecord> {
  await updateSettled(tx, record, settled)
  const { feedEpoch: epoch, feedVersion } = record
  const update = {
    kind: 'change',
    epoch,
    version: feedVersion + 1,
    channel: null,
    runs: [],
    settled,
  } as const
  return commitUpdate(tx, record, update, nowMs)
}

/** Adds an update to a channel's feed. It is published after the transaction, or as soon as possible. */
export async function commitUpdate(
  tx: Transaction,
  record: TimelineRecord,
  update: FeedMessage,
  nowMs: number,
): Promise<TimelineRecord> {
  const added = updateStatement(record, update, nowMs, 0)
  await executeTogether(tx, [added.statement])
  return added.record
}

function updateStatement(
  record: TimelineRecord,
  update: FeedMessage,
  nowMs: number,
  publishAfterMs: number,
): { readonly record: TimelineRecord; readonly statement: Statement } {
  requireInLine(record)
  const next = { ...record, feedVersion: update.version }
  const row = { body: encodeUpdate(update), nowMs, dueMs: nowMs + publishAfterMs }
  return { record: next, statement: insertUpdate(next, row) }
}

/** After a restore, nothing is built on a timeline that may differ from what is published. */
function requireInLine({ isInLine, channelId }: TimelineRecord): void {
  if (isInLine) return
  throw FeedUnavailable(
    new Error(`the timeline of channel ${channelId} was not compared with what is published`),
  )
}

function changedEnds(before: PackedTimeline, after: PackedTimeline): readonly PackedRun[] {
  const known = new Map(before.runs.map((run) => [run.number, run]))
  return after.runs.filter((run) => {
    const was = known.get(run.number)
    return was !== undefined && (was.endSequence !== run.endSequence || was.isEnd !== run.isEnd)
  })
}

/** Without runs that only end another. */
const storedOf = (runs: readonly Run[], packed: readonly PackedRun[]): readonly StoredRun[] =>
  runs.flatMap(({ spans }, at) =>
    spans.length === 0
      ? []
      : [{ ...packed[at]!, airings: spans.map(({ airing }) => [airing.referenceId, airing.title] as const) }],
  )
