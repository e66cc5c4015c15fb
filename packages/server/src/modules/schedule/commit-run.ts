import { encodeStep } from '@continuity/core/feed/feed-codec'
import type { FeedChannel, FeedMessage } from '@continuity/core/feed/feed-message'
import { msOf } from '@continuity/core/time/ticks'
import { splitRun } from '@continuity/core/timeline/make-run'
import { addPacked, type PackedRun, type PackedTimeline, packRun } from '@continuity/core/timeline/packed'
import { reachOf } from '@continuity/core/timeline/reach'
import { applyRun, type Run, type Timeline } from '@continuity/core/timeline/run'
import type { Settled } from '@continuity/core/timeline/settle-run'
import { executeTogether, type Statement, type Transaction } from '../../platform/database/database.ts'
import { FeedUnavailable } from '../../platform/feed/errors.ts'
import { insertStep } from './feed-store.ts'
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
 * Writes a run down, and the step of the feed that tells of it. The channel is locked.
 *
 * `channel` is told with it where nodes do not know it as it is. A worker publishes it where the caller has not done so.
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

/** The same as statements, for a transaction that writes more in one round trip. A worker publishes it after a while. */
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

  const reach = reachOf(timeline)
  const reachMs = reach === undefined ? null : msOf(reach)
  const next = { ...record, version: after.version, reachMs, skipTo: null }
  const version = record.feedVersion + 1
  const epoch = record.feedEpoch
  const step: FeedMessage =
    version === 1 && channel !== null
      ? { kind: 'whole', epoch, version, channel, timeline: after }
      : { kind: 'change', epoch, version, channel, runs: packed, settled: [] }
  const stepped = stepStatement(next, step, nowMs, publishAfterMs)
  const statements = [
    voidRuns(record, run.firstSequence, run.number),
    ...updateEnds(record, changedEnds(kept, after)),
    ...insertRuns(record, storedOf(parts, packed), nowMs),
    stepped.statement,
  ]
  return { record: stepped.record, timeline, statements }
}

/** Writes down discontinuity numbers that have become sure, for nodes too: the logs that they follow from are deleted. */
export async function commitSettled(
  tx: Transaction,
  record: TimelineRecord,
  settled: readonly Settled[],
  nowMs: number,
): Promise<TimelineRecord> {
  await updateSettled(tx, record, settled)
  const { feedEpoch: epoch, feedVersion } = record
  const step = { kind: 'change', epoch, version: feedVersion + 1, channel: null, runs: [], settled } as const
  return commitStep(tx, record, step, nowMs)
}

/** One step more of a channel's feed. It is published after the transaction, or as soon as it can be. */
export async function commitStep(
  tx: Transaction,
  record: TimelineRecord,
  step: FeedMessage,
  nowMs: number,
): Promise<TimelineRecord> {
  const stepped = stepStatement(record, step, nowMs, 0)
  await executeTogether(tx, [stepped.statement])
  return stepped.record
}

function stepStatement(
  record: TimelineRecord,
  step: FeedMessage,
  nowMs: number,
  publishAfterMs: number,
): { readonly record: TimelineRecord; readonly statement: Statement } {
  requireInLine(record)
  const next = { ...record, feedVersion: step.version }
  const row = { body: encodeStep(step), nowMs, dueMs: nowMs + publishAfterMs }
  return { record: next, statement: insertStep(next, row) }
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

/** Without those that only end another. */
const storedOf = (runs: readonly Run[], packed: readonly PackedRun[]): readonly StoredRun[] =>
  runs.flatMap(({ spans }, at) =>
    spans.length === 0
      ? []
      : [{ ...packed[at]!, airings: spans.map(({ airing }) => [airing.referenceId, airing.title] as const) }],
  )
