import { GOP_MS } from '@continuity/core/media/house-format'
import { type PlanResult, planRenewal, planSchedule, type Schedule } from '@continuity/core/planning/plan'
import { ticksOf } from '@continuity/core/time/ticks'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import { sourcesOf } from '@continuity/core/timeline/run'
import { platformActor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import { type Channel, changeStatus, channelAt, findChannelLocked } from '../channels/index.ts'
import { closeChannelAlert, openChannelAlert } from './channel-alerts.ts'
import { commitRun } from './commit-run.ts'
import { watchFill } from './fill-alert.ts'
import { loadFill, loadPrograms, loadSlates } from './load-schedule.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { setOffAir } from './off-air.ts'
import { findScheduleEnd } from './program-store.ts'
import { ensureGuide } from './publish-guide.ts'
import { lockTimeline, type TimelineId, type TimelineRecord, updateTimeline } from './timeline-store.ts'

export interface PlanDeps {
  readonly clock: Clock
  /** What was received from live sources; their module reads it. */
  readonly loadLiveView: (db: Db, accountId: string, sourceIds: readonly string[]) => Promise<LiveView>
  /** A timeline that may have to be brought in line with what was published. */
  readonly onOutOfLine?: ((id: TimelineId) => void) | undefined
}

/** How far ahead a schedule is committed, and how often: so there are always 25 hours. */
export const AHEAD_MS = 26 * 3_600_000
const PLAN_EVERY_MS = 3_600_000
const SPREAD_MS = 600_000
export const COMMITTED_MS = 25 * 3_600_000

/** How far back a plan looks: a program that began then may still be shown now, and what is listed is not planned anew. */
export const LOOKBACK_MS = 600_000

/** Nothing nearer than this is planned anew, whatever has changed: nodes must receive it in time. */
export const NEAR_MS = 15_000

/**
 * Plans what has changed in the schedule of a channel, and extends its timeline. May be called at any time and as often as
 * needed.
 */
export async function planChannel(tx: Transaction, deps: PlanDeps, id: TimelineId): Promise<void> {
  const channel = await findChannelLocked(tx, id.accountId, id.channelId)
  const record = await lockTimeline(tx, id)
  // Read when the locks are held: the time between now and a boundary must be exact.
  const nowMs = deps.clock()
  if (channel === undefined || record === undefined || !isPlanned(channel)) return
  if (!record.isInLine) {
    deps.onOutOfLine?.(id)
    return waitForRebase(tx, id, nowMs)
  }
  const fromMs = planFrom(record, nowMs)
  const planned = fromMs === undefined ? record : await extendPlan(tx, deps, channel, record, fromMs, nowMs)
  const after = channel.overrideSourceId === null ? planned : await renewOverride(tx, deps, planned, nowMs)
  await noteScheduled(tx, channel, nowMs)
  await ensureFill(tx, channel)
  if (after.changedMs !== null) await updateTimeline(tx, { ...after, changedMs: null })
  await watchScheduleEnd(tx, channel, nowMs)
  await ensureGuide(tx, id, nowMs)
  await setDue(tx, {
    kind: 'plan_channel',
    subjectId: id.channelId,
    accountId: id.accountId,
    dueMs: Math.min(nextPlanMs(after, nowMs), returnMs(channel, nowMs)),
  })
}

async function renewOverride(
  tx: Transaction,
  deps: PlanDeps,
  record: TimelineRecord,
  nowMs: number,
): Promise<TimelineRecord> {
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const result = planRenewal({ timeline: before.timeline, live: await loadLive(tx, deps, before), nowMs })
  if (result?.kind !== 'planned') return record
  return (await commitRun(tx, before, result.run, null, nowMs)).record
}

/** Slates of an earlier version have no segments of a slot, and are made again. */
async function ensureFill(tx: Transaction, channel: Channel): Promise<void> {
  if ((await loadFill(tx, channel)) !== undefined) return
  await enqueue(tx, 'make_default_media', {}, { accountId: channel.accountId, requestId: undefined })
}

/** A channel that returned to its schedule is SCHEDULED once that is on air. */
async function noteScheduled(tx: Transaction, channel: Channel, nowMs: number): Promise<void> {
  const { status, offAirMs, overrideStatus } = channel
  if (overrideStatus === channelAt(channel, nowMs).overrideStatus) return
  const override = { status: 'SCHEDULED', sourceId: null, scheduledMs: null } as const
  await changeStatus(tx, platformActor(channel.accountId, nowMs), channel, { status, offAirMs, override })
}

const returnMs = ({ scheduledMs }: Channel, nowMs: number): number =>
  scheduledMs !== null && scheduledMs > nowMs ? scheduledMs : Number.POSITIVE_INFINITY

/** After a restore, the timeline is first brought in line with what was published, and is then planned at once. */
const REBASE_MS = 10_000

const waitForRebase = (tx: Transaction, { channelId, accountId }: TimelineId, nowMs: number): Promise<void> =>
  setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs + REBASE_MS })

/** In time for 25 hours, and spread, so that channels that were started together are not always planned together. */
function nextPlanMs({ plannedUntilMs, channelId }: TimelineRecord, nowMs: number): number {
  const spreadMs = Math.floor((Number.parseInt(channelId.slice(-4), 16) / 65_536) * SPREAD_MS)
  const usualMs = nowMs + PLAN_EVERY_MS - spreadMs
  return plannedUntilMs === null
    ? usualMs
    : Math.max(nowMs + 60_000, Math.min(usualMs, plannedUntilMs - COMMITTED_MS))
}

const isPlanned = ({ status }: Channel): boolean => status === 'ON_AIR' || status === 'PENDING_OFFLINE'

/** Where the plan has to begin; undefined where the committed timeline is up to date and long enough. */
function planFrom({ plannedUntilMs, changedMs }: TimelineRecord, nowMs: number): number | undefined {
  // The channel is overridden. The return plans what has changed.
  if (plannedUntilMs === null) return undefined
  if (changedMs !== null && changedMs < plannedUntilMs) return Math.max(changedMs, nowMs + NEAR_MS)
  return plannedUntilMs < nowMs + AHEAD_MS - PLAN_EVERY_MS / 2 ? plannedUntilMs : undefined
}

async function extendPlan(
  tx: Transaction,
  deps: PlanDeps,
  channel: Channel,
  record: TimelineRecord,
  fromMs: number,
  nowMs: number,
): Promise<TimelineRecord> {
  if (channel.offAirMs !== null && fromMs >= channel.offAirMs) return record
  const schedule = await loadSchedule(tx, channel, nowMs)
  if (schedule === undefined) throw new Error(`the slates of channel ${channel.channelId} are gone`)
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const result: PlanResult = planSchedule(
    { timeline: before.timeline, live: await loadLive(tx, deps, before), nowMs },
    schedule,
    fromMs,
  )
  if (result.kind === 'rejected') return record
  await watchFill(tx, channel, schedule, nowMs)
  const committed = await commitRun(
    tx,
    { ...before, record: { ...record, changedMs: null } },
    result.run,
    null,
    nowMs,
  )
  if (channel.offAirMs !== null) await setOffAir(tx, channel, committed, nowMs)
  return committed.record
}

/** Loads what was received from the sources that a timeline shows. */
export const loadLive = (
  db: Db,
  { loadLiveView }: Pick<PlanDeps, 'loadLiveView'>,
  { record, timeline }: Pick<CommittedTimeline, 'record' | 'timeline'>,
): Promise<LiveView> => loadLiveView(db, record.accountId, sourcesOf(timeline))

/** What a channel is to show from a little before now on; undefined while its slates are not ready. */
export async function loadSchedule(
  tx: Transaction,
  channel: Channel,
  nowMs: number,
  aheadMs: number = AHEAD_MS,
): Promise<Schedule | undefined> {
  const slates = await loadSlates(tx, channel)
  if (slates === undefined) return undefined
  const { offAirMs } = channel
  const untilMs = nowMs + aheadMs
  // A program that begins where the channel ends is left out: the actual end is up to a GOP off.
  const beforeMs = offAirMs === null ? untilMs : offAirMs - GOP_MS
  const programs = await loadPrograms(tx, channel, nowMs - LOOKBACK_MS, beforeMs)
  if (offAirMs === null) return { programs, slates, untilMs }
  const last = programs.find(({ program }) => Math.abs(program.endMs - offAirMs) <= GOP_MS)
  return { programs, slates, untilMs, endMs: last?.program.endMs ?? offAirMs }
}

const DAY_MS = 86_400_000
const SOON_MS = 7 * DAY_MS

const CODE = 'schedule.ending'

/** Opens an alert when the schedule of a channel on the air ends in under seven days, critical in under one. */
async function watchScheduleEnd(tx: Transaction, channel: Channel, nowMs: number): Promise<void> {
  const endMs = await findScheduleEnd(tx, channel, nowMs)
  const leftMs = (endMs ?? nowMs) - nowMs
  if (channel.status !== 'ON_AIR' || leftMs >= SOON_MS) return closeChannelAlert(tx, channel, CODE, nowMs)
  const severity = leftMs < DAY_MS ? 'CRITICAL' : 'WARNING'
  const message =
    endMs === undefined
      ? 'No program is scheduled: the channel shows only fillers and slates. Schedule programs.'
      : `The schedule ends at ${new Date(endMs).toISOString()}. After that the channel shows only fillers and slates. Schedule more programs.`
  await openChannelAlert(tx, channel, CODE, { severity, message }, nowMs)
}
