import { earliestStart, planContinue, planStart } from '@continuity/core/planning/plan'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import { CUT_MARGIN_MS } from '@continuity/core/timeline/cut-margin'
import type { Run } from '@continuity/core/timeline/run'
import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { clearDue, setDue } from '../../platform/due/due-rows.ts'
import {
  type Channel,
  changeStatus,
  channelAt,
  findChannelLocked,
  requireChannelLocked,
} from '../channels/index.ts'
import { closeChannelAlert, openChannelAlert } from './channel-alerts.ts'
import { commitRun } from './commit-run.ts'
import { loadFeedChannel } from './feed-channel.ts'
import { watchFill } from './fill-alert.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { goOff } from './off-air.ts'
import { LOOKBACK_MS, loadLive, loadSchedule, type PlanDeps } from './plan-channel.ts'
import { noteGuideChange } from './publish-guide.ts'
import { ensureTimeline, lockTimeline, type TimelineId, type TimelineRecord } from './timeline-store.ts'

/** How often a start is tried while its slates are being made. */
const TRY_AGAIN_MS = 1_000

const AS_RUN_AFTER_MS = 60_000

/**
 * Requests the start of a channel. One that is about to go off the air stays on it, by this transaction; any other starts
 * as soon as everything that it needs is ready.
 */
export async function requestStart(
  tx: Transaction,
  deps: PlanDeps,
  actor: Actor,
  channelId: string,
): Promise<Channel> {
  const channel = await requireChannelLocked(tx, actor.accountId, channelId)
  const record = await lockTimeline(tx, channel)
  // Read when the locks are held: an end that comes while this waits for them can no longer be taken back.
  const nowMs = deps.clock()
  const now = { ...actor, nowMs }
  const { status } = channelAt(channel, nowMs)
  if (status === 'ON_AIR' || status === 'PENDING_ON_AIR') return channel
  if (status === 'PENDING_OFFLINE' && record !== undefined) {
    const continued = await continueChannel(tx, deps, now, channel, record)
    if (continued !== undefined) return continued
  }
  // No worker has written down yet that the channel has gone off the air.
  const isOver = status === 'OFFLINE' && channel.status === 'PENDING_OFFLINE'
  const before = isOver ? await goOff(tx, now, channel) : channel
  const started = await changeStatus(tx, now, before, { status: 'PENDING_ON_AIR', offAirMs: null })
  const { accountId } = actor
  await setDue(tx, { kind: 'start_channel', subjectId: channel.channelId, accountId, dueMs: nowMs })
  return started
}

/** Takes back the end of a channel that has not gone off the air; undefined where it comes first. */
async function continueChannel(
  tx: Transaction,
  deps: PlanDeps,
  actor: Actor,
  channel: Channel,
  record: TimelineRecord,
): Promise<Channel | undefined> {
  const { nowMs } = actor
  const schedule = await loadSchedule(tx, { ...channel, offAirMs: null }, nowMs)
  if (schedule === undefined) return undefined
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const live = await loadLive(tx, deps, before)
  const result = planContinue({ timeline: before.timeline, live, nowMs }, schedule)
  if (result.kind === 'rejected') return undefined
  await commitRun(tx, before, result.run, null, nowMs)
  const { accountId, channelId } = channel
  await clearDue(tx, { kind: 'channel_off', subjectId: channelId })
  // `plan_channel` plans what has changed before the end, and opens the alerts of a channel on the air.
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
  return changeStatus(tx, actor, channel, { status: 'ON_AIR', offAirMs: null })
}

/** Puts a channel on the air whose start was requested. */
export async function startChannel(
  tx: Transaction,
  deps: PlanDeps,
  { accountId, channelId }: TimelineId,
): Promise<void> {
  const channel = await findChannelLocked(tx, accountId, channelId)
  if (channel?.status !== 'PENDING_ON_AIR') return
  await ensureTimeline(tx, channel)
  const record = (await lockTimeline(tx, channel))!
  const nowMs = deps.clock()
  const schedule = await loadSchedule(tx, channel, nowMs)
  if (!record.isInLine) deps.onOutOfLine?.({ accountId, channelId })
  if (schedule === undefined || !record.isInLine) {
    await watchStart(tx, channel, nowMs)
    await setDue(tx, { kind: 'start_channel', subjectId: channelId, accountId, dueMs: nowMs + TRY_AGAIN_MS })
    return
  }
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const onAir = { timeline: before.timeline, live: await loadLive(tx, deps, before), nowMs }
  // Its slates were missing when the start was requested before its end, and the end may still be taken back.
  const continued = planContinue(onAir, schedule)
  const startMs = msOf(earliestStart(before.timeline, schedule.slates.rescue)) - CUT_MARGIN_MS
  if (continued.kind === 'rejected' && startMs > nowMs) {
    // Committed earlier, the channel would be ON_AIR while its playlists are still marked as ended.
    await setDue(tx, { kind: 'start_channel', subjectId: channelId, accountId, dueMs: startMs })
    return
  }
  await closeChannelAlert(tx, channel, 'channel.start_waiting', nowMs)
  await watchFill(tx, channel, schedule, nowMs)
  if (continued.kind === 'planned') return putOnAir(tx, channel, before, continued.run, nowMs)
  // All of the schedule is planned with it, whatever has changed before.
  const unchanged = { ...before, record: { ...record, changedMs: null } }
  const run = planStart(onAir, schedule, record.skipTo ?? undefined)
  await putOnAir(tx, channel, unchanged, run, nowMs)
}

async function putOnAir(
  tx: Transaction,
  channel: Channel,
  before: CommittedTimeline,
  run: Run,
  nowMs: number,
): Promise<void> {
  const { accountId, channelId } = channel
  await commitRun(tx, before, run, await loadFeedChannel(tx, channel), nowMs)
  await changeStatus(tx, platformActor(accountId, nowMs), channel, {
    status: 'ON_AIR',
    override: { status: 'SCHEDULED', sourceId: null, scheduledMs: null },
    offAirMs: null,
  })
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
  await noteGuideChange(tx, channel, nowMs)
  await setDue(tx, { kind: 'record_as_run', subjectId: channelId, accountId, dueMs: nowMs + AS_RUN_AFTER_MS })
}

/** Slates are short: where packaging takes longer than this, something is wrong. */
const PATIENCE_MS = 60_000

const MESSAGE =
  'The channel was started and waits for its slates. Check that a worker runs, or give it slates whose videos are READY.'

/** Opens an alert when a channel that was started does not get on the air. */
async function watchStart(tx: Transaction, channel: Channel, nowMs: number): Promise<void> {
  if (nowMs - channel.updatedMs < PATIENCE_MS) return
  const trouble = { severity: 'CRITICAL', message: MESSAGE } as const
  await openChannelAlert(tx, channel, 'channel.start_waiting', trouble, nowMs)
}
