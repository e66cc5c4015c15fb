import { GOP_MS } from '@continuity/core/packaging/house-format'
import { ticksOf } from '@continuity/core/time/ticks'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import { type PlanResult, planRenewal, planSchedule, type Schedule } from '@continuity/core/timeline/plan'
import { sourcesOf } from '@continuity/core/timeline/run'
import { platformActor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import { type Channel, changeStatus, channelAt, findChannelLocked } from '../channels/index.ts'
import { commitRun } from './commit-run.ts'
import { watchFill } from './fill-alert.ts'
import { loadFill, loadPrograms, loadSlates } from './load-schedule.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { setOffAir } from './off-air.ts'
import type { PackageReader } from './packages.ts'
import { watchScheduleEnd } from './schedule-end-alert.ts'
import { lockTimeline, type TimelineId, type TimelineRecord, updateTimeline } from './timeline-store.ts'

export interface PlanDeps {
  readonly clock: Clock
  readonly packages: PackageReader
  /** What live sources have brought, which their module knows. */
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

/** What is this near is not planned anew, whatever has changed: nodes have to learn of it in time. */
const NEAR_MS = 15_000

/**
 * Carries the timeline of a channel on: what has changed in its schedule, and what lies beyond its reach. Called as often
 * as anybody likes.
 */
export async function planChannel(tx: Transaction, deps: PlanDeps, id: TimelineId): Promise<void> {
  const channel = await findChannelLocked(tx, id.accountId, id.channelId)
  const record = await lockTimeline(tx, id)
  // Read when the locks are held: what lies between now and a boundary must be known exactly.
  const nowMs = deps.clock()
  if (channel === undefined || record === undefined || !isPlanned(channel)) return
  if (!record.isInLine) {
    deps.onOutOfLine?.(id)
    return waitForRebase(tx, id, nowMs)
  }
  const fromMs = planFrom(record, nowMs)
  const planned = fromMs === undefined ? record : await carryOn(tx, deps, channel, record, fromMs, nowMs)
  const after = channel.overrideSourceId === null ? planned : await renewOverride(tx, deps, planned, nowMs)
  await noteScheduled(tx, channel, nowMs)
  await ensureFill(tx, deps, channel)
  if (after.changedMs !== null) await updateTimeline(tx, { ...after, changedMs: null })
  await watchScheduleEnd(tx, channel, nowMs)
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
async function ensureFill(tx: Transaction, { packages }: PlanDeps, channel: Channel): Promise<void> {
  if ((await loadFill(tx, packages, channel)) !== undefined) return
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

/** In time for 25 hours. Channels that were started together are not planned together for ever. */
function nextPlanMs({ reachMs, channelId }: TimelineRecord, nowMs: number): number {
  const spreadMs = Math.floor((Number.parseInt(channelId.slice(-4), 16) / 65_536) * SPREAD_MS)
  const usualMs = nowMs + PLAN_EVERY_MS - spreadMs
  return reachMs === null ? usualMs : Math.max(nowMs + 60_000, Math.min(usualMs, reachMs - COMMITTED_MS))
}

const isPlanned = ({ status }: Channel): boolean => status === 'ON_AIR' || status === 'PENDING_OFFLINE'

/** Where the plan has to begin; undefined where what is committed is right, and far enough. */
function planFrom({ reachMs, changedMs }: TimelineRecord, nowMs: number): number | undefined {
  // Something else than the schedule is shown. The return will find what has changed.
  if (reachMs === null) return undefined
  if (changedMs !== null && changedMs < reachMs) return Math.max(changedMs, nowMs + NEAR_MS)
  return reachMs < nowMs + AHEAD_MS - PLAN_EVERY_MS / 2 ? reachMs : undefined
}

async function carryOn(
  tx: Transaction,
  deps: PlanDeps,
  channel: Channel,
  record: TimelineRecord,
  fromMs: number,
  nowMs: number,
): Promise<TimelineRecord> {
  if (channel.offAirMs !== null && fromMs >= channel.offAirMs) return record
  const schedule = await loadSchedule(tx, deps, channel, nowMs)
  if (schedule === undefined) throw new Error(`the slates of channel ${channel.channelId} are gone`)
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const result: PlanResult = planSchedule(
    { timeline: before.timeline, live: await loadLive(tx, deps, before), nowMs },
    schedule,
    fromMs,
  )
  if (result.kind === 'refused') return record
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

/** Of the sources that a timeline shows. */
export const loadLive = (
  db: Db,
  { loadLiveView }: Pick<PlanDeps, 'loadLiveView'>,
  { record, timeline }: Pick<CommittedTimeline, 'record' | 'timeline'>,
): Promise<LiveView> => loadLiveView(db, record.accountId, sourcesOf(timeline))

/** What a channel is to show from a little before now on; undefined while its slates are not ready. */
export async function loadSchedule(
  tx: Transaction,
  { packages }: Pick<PlanDeps, 'packages'>,
  channel: Channel,
  nowMs: number,
  aheadMs: number = AHEAD_MS,
): Promise<Schedule | undefined> {
  const slates = await loadSlates(tx, packages, channel)
  if (slates === undefined) return undefined
  const { offAirMs } = channel
  const untilMs = nowMs + aheadMs
  // One that begins where the channel ends is not begun: the end lies up to a GOP beside its time.
  const beforeMs = offAirMs === null ? untilMs : offAirMs - GOP_MS
  const programs = await loadPrograms(tx, packages, channel, nowMs - LOOKBACK_MS, beforeMs)
  if (offAirMs === null) return { programs, slates, untilMs }
  const last = programs.find(({ program }) => Math.abs(program.endMs - offAirMs) <= GOP_MS)
  return { programs, slates, untilMs, endMs: last?.program.endMs ?? offAirMs }
}
