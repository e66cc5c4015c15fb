import { type AsRunEntry, addSegment } from '@continuity/core/as-run/as-run'
import { ticksOf } from '@continuity/core/time/ticks'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { segmentsBetween } from '@continuity/core/timeline/segments'
import { publishedUntil } from '@continuity/core/timeline/window'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { findChannelLocked } from '../channels/index.ts'
import { insertAsRun } from './as-run-store.ts'
import { loadTimeline } from './load-timeline.ts'
import type { PlanDeps } from './plan-channel.ts'
import { lockTimeline, type TimelineId, updateTimeline } from './timeline-store.ts'

const RECORD_EVERY_MS = 600_000

/** Several hours: after a longer outage the next looks see to the rest. */
const SEGMENTS_AT_ONCE = 15_000

/** While a timeline is not known to be what was published, nothing is recorded. */
const OUT_OF_LINE_MS = 10_000

/** Writes down what a channel has aired since the last time: the very segments that its playlists listed. */
export async function recordAsRun(
  tx: Transaction,
  { clock }: Pick<PlanDeps, 'clock'>,
  id: TimelineId,
): Promise<void> {
  // Also of a channel that was deleted: what it aired is not.
  const channel = await findChannelLocked(tx, id.accountId, id.channelId)
  const record = await lockTimeline(tx, id)
  if (record === undefined) return
  const nowMs = clock()
  const again = (dueMs: number) =>
    setDue(tx, { kind: 'record_as_run', subjectId: id.channelId, accountId: id.accountId, dueMs })
  // A restored timeline is what was planned when the backup was made, and not what was aired since.
  if (!record.isInLine) return again(nowMs + OUT_OF_LINE_MS)
  const { timeline } = await loadTimeline(tx, record, record.openEntry?.endTicks ?? 0)
  const first = record.recordedSequence
  const published = publishedUntil(timeline, ticksOf(nowMs)) ?? first
  const most = Math.min(published, first + SEGMENTS_AT_ONCE)
  let end = first
  const closed: AsRunEntry[] = []
  let open: AsRunEntry | undefined = record.openEntry ?? undefined
  for (const segment of segmentsBetween(timeline, first, most, noLive)) {
    end = segment.sequence + 1
    const step = addSegment(open, segment)
    if (step.closed !== undefined) closed.push(step.closed)
    open = step.open
  }
  await insertAsRun(tx, id, closed)
  await updateTimeline(tx, { ...record, recordedSequence: end, openEntry: open ?? null })
  // What was listed last by a channel that went off the air is written down too.
  const status = channel?.status ?? 'OFFLINE'
  if (status === 'OFFLINE' && end === published) return
  const dueMs = first < end && end < published ? nowMs : nowMs + RECORD_EVERY_MS
  await again(dueMs)
}
