import { type AsRunEntry, addSegment } from '@continuity/core/as-run/as-run'
import { ticksOf } from '@continuity/core/time/ticks'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import type { Timeline } from '@continuity/core/timeline/run'
import { knownUntil, segmentsBetween } from '@continuity/core/timeline/segments'
import { settledRuns } from '@continuity/core/timeline/settle-run'
import { publishedUntil } from '@continuity/core/timeline/window'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { findChannelLocked } from '../channels/index.ts'
import { insertAsRun } from './as-run-store.ts'
import { commitSettled } from './commit-run.ts'
import { hasUpdates } from './feed-store.ts'
import { loadTimeline } from './load-timeline.ts'
import { loadLive, type PlanDeps } from './plan-channel.ts'
import { lockTimeline, type TimelineId, updateTimeline } from './timeline-store.ts'

const RECORD_EVERY_MS = 600_000

/** Several hours: after a longer outage the next runs record the rest. */
const SEGMENTS_AT_ONCE = 15_000

/** Nothing is recorded while a timeline is not known to be what was published; it is tried again after this. */
const UNPUBLISHED_MS = 10_000

/** How long the log of a live source is waited for; slots that it does not contain by then showed the slate. */
const LOG_PATIENCE_MS = 900_000

function knownEnd(timeline: Timeline, live: LiveView, first: number, most: number, nowMs: number): number {
  const known = knownUntil(timeline, first, most, live)
  const old = publishedUntil(timeline, ticksOf(nowMs - LOG_PATIENCE_MS)) ?? first
  return Math.max(known, Math.min(old, most))
}

/** Records what a channel has aired since the last time: exactly the segments that its playlists listed. */
export async function recordAsRun(
  tx: Transaction,
  deps: Pick<PlanDeps, 'clock' | 'loadLiveView'>,
  id: TimelineId,
): Promise<void> {
  // Also of a channel that was deleted: its record stays.
  const channel = await findChannelLocked(tx, id.accountId, id.channelId)
  const record = await lockTimeline(tx, id)
  if (record === undefined) return
  const nowMs = deps.clock()
  const again = (dueMs: number) =>
    setDue(tx, { kind: 'record_as_run', subjectId: id.channelId, accountId: id.accountId, dueMs })
  // A restored timeline is what was planned when the backup was made, and not what was aired since.
  if (!record.isInLine) return again(nowMs + UNPUBLISHED_MS)
  // What is not published may still be planned again, so that it was never aired.
  if (await hasUpdates(tx, id)) return again(nowMs + UNPUBLISHED_MS)
  const loaded = await loadTimeline(tx, record, record.openEntry?.endTicks ?? 0)
  const { timeline } = loaded
  const live = await loadLive(tx, deps, loaded)
  const first = record.recordedSequence
  const published = publishedUntil(timeline, ticksOf(nowMs)) ?? first
  const most = knownEnd(timeline, live, first, Math.min(published, first + SEGMENTS_AT_ONCE), nowMs)
  let end = first
  const closed: AsRunEntry[] = []
  let open: AsRunEntry | undefined = record.openEntry ?? undefined
  for (const segment of segmentsBetween(timeline, first, most, live)) {
    end = segment.sequence + 1
    const added = addSegment(open, segment)
    if (added.closed !== undefined) closed.push(added.closed)
    open = added.open
  }
  await insertAsRun(tx, id, closed)
  const recorded = { ...record, recordedSequence: end, openEntry: open ?? null }
  const settled = settledRuns({ timeline, live, nowMs })
  if (settled.length === 0) await updateTimeline(tx, recorded)
  else await commitSettled(tx, recorded, settled, nowMs)
  // The last segments of a channel that went off the air are recorded too.
  const status = channel?.status ?? 'OFFLINE'
  if (status === 'OFFLINE' && end === published) return
  const dueMs = first < end && end < published ? nowMs : nowMs + RECORD_EVERY_MS
  await again(dueMs)
}
