import { isAllowed } from '@continuity/core/channels/channel-status'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import type { OnAir } from '@continuity/core/timeline/on-air'
import { type PlanResult, planOverride, planRescue, planSchedule } from '@continuity/core/timeline/plan'
import type { Run } from '@continuity/core/timeline/run'
import { type Program, startOfSegment } from '@continuity/core/timeline/span'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { newId } from '../../platform/ids.ts'
import {
  type Channel,
  ChannelNotOnAir,
  ChannelNotOverridden,
  changeStatus,
  channelAt,
  type OverrideChange,
  requireChannelLocked,
} from '../channels/index.ts'
import { recordEvent } from '../events/index.ts'
import { commitRun } from './commit-run.ts'
import { FillNotReady } from './errors.ts'
import { loadFill, loadSlates } from './load-schedule.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { LOOKBACK_MS, loadLive, loadSchedule, type PlanDeps } from './plan-channel.ts'
import { lockTimeline } from './timeline-store.ts'

/** A channel that was cut to something else. */
export interface Cut {
  readonly channel: Channel
  /** When playlists show the first segment of it. */
  readonly onAirMs: number
}

export interface SourceToShow {
  readonly sourceId: string
  readonly title: string
  readonly description: string
}

/** The channel shows a live source from the next boundary on, until something else is ordered. */
export async function overrideChannel(
  tx: Transaction,
  deps: PlanDeps,
  actor: Actor,
  channelId: string,
  { sourceId, title, description }: SourceToShow,
): Promise<Cut> {
  const locked = await lockOnAir(tx, deps, actor, channelId, 'override')
  const { channel, onAir, nowMs } = locked
  const fill = await loadFill(tx, deps.packages, channel)
  if (fill === undefined) throw FillNotReady()
  const program: Program = { id: newId(nowMs), title, description, startMs: nowMs, endMs: null }
  const slotMs = msOf(fill.segmentTicks)
  const result = planOverride(onAir, { sourceId, slotMs, fill, program, title })
  return commitCut(tx, actor, locked, result, { status: 'OVERRIDDEN', sourceId, scheduledMs: null })
}

/** The channel shows its rescue slate from the next boundary on, until something else is ordered. */
export async function rescueChannel(
  tx: Transaction,
  deps: PlanDeps,
  actor: Actor,
  channelId: string,
): Promise<Cut> {
  const locked = await lockOnAir(tx, deps, actor, channelId, 'rescue')
  const { channel, onAir, nowMs } = locked
  const slates = await loadSlates(tx, deps.packages, channel)
  if (slates === undefined) throw FillNotReady()
  const { title, description } = channel
  const program: Program = { id: newId(nowMs), title, description, startMs: nowMs, endMs: null }
  const result = planRescue(onAir, slates.rescue, program)
  return commitCut(tx, actor, locked, result, { status: 'OVERRIDDEN', sourceId: null, scheduledMs: null })
}

/** So much of the schedule is planned with a return; the rest right after, by a worker. */
const RETURN_AHEAD_MS = 600_000

/** The channel follows its schedule from the next boundary on, where the schedule is by then. */
export async function returnChannel(
  tx: Transaction,
  deps: PlanDeps,
  actor: Actor,
  channelId: string,
): Promise<Cut> {
  const locked = await lockOnAir(tx, deps, actor, channelId, 'return')
  const { channel, onAir, before, nowMs } = locked
  if (channel.overrideStatus === 'SCHEDULED') throw ChannelNotOverridden()
  // It is on its way.
  if (channel.overrideStatus === 'NOT_STARTED') return { channel, onAirMs: channel.scheduledMs ?? nowMs }
  const schedule = await loadSchedule(tx, deps, channel, nowMs, RETURN_AHEAD_MS)
  if (schedule === undefined) throw FillNotReady()
  const result = planSchedule(onAir, schedule)
  const scheduledMs = result.kind === 'planned' ? shownMs(result.run) : null
  // Whatever has changed in the schedule meanwhile is planned with it.
  const unchanged = { ...before, record: { ...before.record, changedMs: null } }
  const { accountId } = channel
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
  return commitCut(tx, actor, { ...locked, before: unchanged }, result, {
    status: 'NOT_STARTED',
    sourceId: null,
    scheduledMs,
  })
}

interface LockedOnAir {
  readonly channel: Channel
  readonly before: CommittedTimeline
  readonly onAir: OnAir
  readonly nowMs: number
}

async function lockOnAir(
  tx: Transaction,
  deps: PlanDeps,
  { accountId }: Actor,
  channelId: string,
  action: 'override' | 'rescue' | 'return',
): Promise<LockedOnAir> {
  const locked = await requireChannelLocked(tx, accountId, channelId)
  const record = await lockTimeline(tx, locked)
  // Read when the locks are held: the boundary at which the cut is follows from it.
  const nowMs = deps.clock()
  const channel = channelAt(locked, nowMs)
  if (record === undefined || !isAllowed(action, channel.status)) throw ChannelNotOnAir(channel.status)
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const live = await loadLive(tx, deps, before)
  return { channel, before, onAir: { timeline: before.timeline, live, nowMs }, nowMs }
}

async function commitCut(
  tx: Transaction,
  actor: Actor,
  { channel, before, nowMs }: LockedOnAir,
  result: PlanResult,
  override: OverrideChange,
): Promise<Cut> {
  if (result.kind === 'refused') throw ChannelNotOnAir(channel.status)
  await commitRun(tx, before, result.run, null, nowMs, PUBLISH_AFTER_MS)
  const { status, offAirMs } = channel
  const changed = await changeStatus(tx, { ...actor, nowMs }, channel, { status, offAirMs, override })
  const cut = { channel: changed, onAirMs: shownMs(result.run) }
  await record(tx, { ...actor, nowMs }, cut, override)
  return cut
}

async function record(
  tx: Transaction,
  actor: Actor,
  { channel: { channelId, title }, onAirMs }: Cut,
  { status, sourceId }: OverrideChange,
): Promise<void> {
  const data = { linear_channel_id: channelId, title, on_air_at: new Date(onAirMs).toISOString() }
  if (status === 'OVERRIDDEN')
    await recordEvent(tx, actor, {
      kind: 'override.started',
      subjectId: channelId,
      data: { ...data, live_source_id: sourceId },
    })
  else await recordEvent(tx, actor, { kind: 'override.ended', subjectId: channelId, data })
}

/** Early enough for the cut to be in time, and late enough for the caller to have published it. */
const PUBLISH_AFTER_MS = 500

/** When the first segment of a run is published. */
const shownMs = ({ spans }: Run): number => msOf(startOfSegment(spans[0]!, 1))
