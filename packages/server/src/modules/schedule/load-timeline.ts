import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import type { Run, Timeline } from '@continuity/core/timeline/run'
import type { Db } from '../../platform/database/database.ts'
import { listRuns, packedOf, type StoredRun, type TimelineRecord } from './timeline-store.ts'

/** A committed timeline, as far as it is needed. */
export interface CommittedTimeline {
  readonly record: TimelineRecord
  readonly runs: readonly StoredRun[]
  readonly timeline: Timeline
}

/** Loads a timeline from a time on, with the runs that its numbers follow from. */
export async function loadTimeline(
  db: Db,
  record: TimelineRecord,
  fromTicks: number,
): Promise<CommittedTimeline> {
  return timelineOf(record, await listRuns(db, record, fromTicks))
}

export function timelineOf(record: TimelineRecord, runs: readonly StoredRun[]): CommittedTimeline {
  const unpacked = unpackBetween(packedOf(record.version, runs), 0, Number.MAX_SAFE_INTEGER)
  if (unpacked === undefined) throw new Error(`the timeline of channel ${record.channelId} is corrupt`)
  const titled = unpacked.runs.map((run, at) => withTitles(run, runs[at]!))
  return { record, runs, timeline: { version: record.version, runs: titled } }
}

function withTitles(run: Run, { airings }: StoredRun): Run {
  const spans = run.spans.map((span, at) => {
    const [referenceId, title] = airings[at]!
    return { ...span, airing: { ...span.airing, referenceId, title } }
  })
  return { ...run, spans }
}
