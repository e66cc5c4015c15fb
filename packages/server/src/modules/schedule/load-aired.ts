import { ticksOf } from '@continuity/core/time/ticks'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import { sourcesOf, type Timeline } from '@continuity/core/timeline/run'
import type { Db } from '../../platform/database/database.ts'
import type { PlanDeps } from './plan-channel.ts'
import { findTimeline, listRuns, packedOf, type TimelineId } from './timeline-store.ts'

/** What was on the air, as playout nodes have it: without titles and references. */
export interface AiredTimeline {
  readonly timeline: Timeline
  readonly live: LiveView
}

/** What a channel aired between two times of the last 72 hours; undefined where it was never on the air. */
export async function loadAired(
  db: Db,
  { loadLiveView }: Pick<PlanDeps, 'loadLiveView'>,
  id: TimelineId,
  fromMs: number,
  toMs: number,
): Promise<AiredTimeline | undefined> {
  const record = await findTimeline(db, id)
  if (record === undefined) return undefined
  const runs = await listRuns(db, id, ticksOf(fromMs))
  const timeline = unpackBetween(packedOf(record.version, runs), ticksOf(fromMs), ticksOf(toMs))
  if (timeline === undefined) throw new Error(`the timeline of channel ${id.channelId} is corrupt`)
  return { timeline, live: await loadLiveView(db, id.accountId, sourcesOf(timeline)) }
}
