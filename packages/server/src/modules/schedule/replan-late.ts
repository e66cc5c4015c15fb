import type { ChannelState } from '@continuity/core/feed/channel-state'
import { decodeUpdate } from '@continuity/core/feed/feed-codec'
import { isLateCut } from '@continuity/core/feed/late-cut'
import {
  type PlanResult,
  planOverride,
  planRescue,
  planSchedule,
  planStop,
} from '@continuity/core/planning/plan'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import type { OnAir } from '@continuity/core/timeline/on-air'
import { plannedUntil } from '@continuity/core/timeline/planned-until'
import type { Timeline } from '@continuity/core/timeline/run'
import type { Span } from '@continuity/core/timeline/span'
import { platformActor } from '../../platform/actor.ts'
import { type Db, executeTogether, type Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import type { FeedPublisher } from '../../platform/feed/feed-publisher.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type Channel, changeStatus, channelAt, findChannelLocked } from '../channels/index.ts'
import { recordEvent } from '../events/index.ts'
import { type Committed, commitRun, commitUpdate } from './commit-run.ts'
import { cutEvent, shownMs } from './cut-channel.ts'
import { deleteUpdates, listUpdates } from './feed-store.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { setOffAir } from './off-air.ts'
import { LOOKBACK_MS, loadLive, loadSchedule, NEAR_MS, type PlanDeps } from './plan-channel.ts'
import { DELIVERY_MS, loadSnapshot } from './publish-feed.ts'
import {
  lockTimeline,
  type TimelineId,
  type TimelineRecord,
  updateEnds,
  updateTimeline,
  voidRuns,
} from './timeline-store.ts'

export interface ReplanDeps extends PlanDeps {
  readonly publisher: Pick<FeedPublisher, 'readPublished'>
  readonly logger: Logger
}

/**
 * Plans a channel again whose pending updates can no longer be published in time: nodes would replace segments that
 * viewers have seen. What was published stays, and at the next boundary the channel is cut to what it should show. A
 * snapshot takes the place of the pending updates. False where they are in time after all.
 */
export async function replanLate(db: Db, deps: ReplanDeps, id: TimelineId): Promise<boolean> {
  // Before the transaction: NATS may be slow.
  const published = await deps.publisher.readPublished(id)
  // Where the stream was lost it is unknown what nodes list.
  if (published === undefined) return false
  const isReplanned = await db.transaction().execute((tx) => replan(tx, deps, id, published))
  if (isReplanned)
    deps.logger.warn(
      { channel_id: id.channelId },
      'channel replanned: its updates were not published in time',
    )
  return isReplanned
}

async function replan(
  tx: Transaction,
  deps: ReplanDeps,
  id: TimelineId,
  published: ChannelState,
): Promise<boolean> {
  const found = await findChannelLocked(tx, id.accountId, id.channelId)
  const record = await lockTimeline(tx, id)
  if (found === undefined || record?.isInLine !== true) return false
  const nowMs = deps.clock()
  if (!(await isLate(tx, id, published, nowMs))) return false
  const channel = channelAt(found, nowMs)
  const wanted = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))

  const before = await withoutUnpublished(tx, record, published, nowMs)
  const result = await planWanted(tx, deps, channel, wanted.timeline, before, nowMs)
  const committed = result.kind === 'planned' ? await commitRun(tx, before, result.run, null, nowMs) : before
  await noteCut(tx, channel, committed, isReturn(channel, before), nowMs)

  // Nodes have none of the pending updates, so an update that follows them would be a gap.
  await deleteUpdates(tx, id, Number.MAX_SAFE_INTEGER)
  const snapshot = await loadSnapshot(tx, id, nowMs)
  const version = committed.record.feedVersion + 1
  if (snapshot !== undefined) await commitUpdate(tx, committed.record, { ...snapshot, version }, nowMs)
  return true
}

/** Voids the runs that were not published, and ends the others where they ended before. */
async function withoutUnpublished(
  tx: Transaction,
  record: TimelineRecord,
  { timeline }: ChannelState,
  nowMs: number,
): Promise<CommittedTimeline> {
  await executeTogether(tx, [
    voidRuns(record, 0, Number.MAX_SAFE_INTEGER, timeline.version + 1),
    ...updateEnds(record, timeline.runs),
  ])
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const plannedTicks = plannedUntil(before.timeline)
  const plannedUntilMs = plannedTicks === undefined ? null : msOf(plannedTicks)
  const published = { ...record, plannedUntilMs, changedMs: null }
  await updateTimeline(tx, published)
  return { ...before, record: published }
}

/** Whether a pending update would replace segments that are listed by the time nodes have it. */
async function isLate(
  tx: Transaction,
  id: TimelineId,
  published: ChannelState,
  nowMs: number,
): Promise<boolean> {
  const pending = await listUpdates(tx, id)
  return pending.some(({ body, version }) => {
    const update = version > published.version ? decodeUpdate(body) : undefined
    return update !== undefined && isLateCut(published, update, ticksOf(nowMs + DELIVERY_MS))
  })
}

/** What the channel should show: by its status, and where it is overridden by the last run. */
async function planWanted(
  tx: Transaction,
  deps: PlanDeps,
  channel: Channel,
  wanted: Timeline,
  before: CommittedTimeline,
  nowMs: number,
): Promise<PlanResult> {
  const onAir: OnAir = { timeline: before.timeline, live: await loadLive(tx, deps, before), nowMs }
  if (channel.status === 'OFFLINE' || (channel.offAirMs ?? Number.POSITIVE_INFINITY) < nowMs + NEAR_MS)
    return planStop(onAir)
  if (channel.overrideStatus === 'OVERRIDDEN') return planOverrideOf(onAir, wanted.runs.at(-1)!.spans.at(-1)!)
  const schedule = await loadSchedule(tx, channel, nowMs)
  if (schedule === undefined) throw new Error(`the slates of channel ${channel.channelId} are gone`)
  return planSchedule(onAir, schedule, isReturn(channel, before) ? undefined : nowMs + NEAR_MS)
}

/** Whether an override is still on air that was to end. */
const isReturn = ({ overrideStatus }: Channel, { timeline }: CommittedTimeline): boolean =>
  overrideStatus !== 'OVERRIDDEN' && plannedUntil(timeline) === undefined

function planOverrideOf(onAir: OnAir, { show, airing }: Span): PlanResult {
  const { program, title } = airing
  if (program === null) return { kind: 'rejected', reason: 'not_following_schedule' }
  if (show.kind === 'asset') return planRescue(onAir, show.media, program)
  const { sourceId, slotTicks, fill } = show
  return planOverride(onAir, { sourceId, slotMs: msOf(slotTicks), fill, program, title })
}

/** The status gets the time of the new cut, and followers its event. */
async function noteCut(
  tx: Transaction,
  channel: Channel,
  committed: Pick<Committed, 'timeline'>,
  isReturning: boolean,
  nowMs: number,
): Promise<void> {
  const { accountId, channelId, status, offAirMs, overrideStatus, overrideSourceId } = channel
  const actor = platformActor(accountId, nowMs)
  if (status === 'PENDING_OFFLINE') await setOffAir(tx, channel, committed, nowMs)
  if (status !== 'ON_AIR') return
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
  const run = committed.timeline.runs.at(-1)
  if (run === undefined || run.startTicks < ticksOf(nowMs - LOOKBACK_MS)) return
  const onAirMs = shownMs(run)
  if (overrideStatus === 'OVERRIDDEN') {
    const event = cutEvent({ channel, onAirMs }, { status: overrideStatus, sourceId: overrideSourceId })
    return recordEvent(tx, actor, event)
  }
  if (!isReturning) return
  const override = { status: 'NOT_STARTED', sourceId: null, scheduledMs: onAirMs } as const
  await changeStatus(tx, actor, channel, { status, offAirMs, override })
  await recordEvent(tx, actor, cutEvent({ channel, onAirMs }, override))
}
