import { ticksOf } from '@continuity/core/time/ticks'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { planSchedule, planStart, type Schedule } from '@continuity/core/timeline/plan'
import type { Run } from '@continuity/core/timeline/run'
import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { type Channel, changeStatus, findChannelLocked, requireChannelLocked } from '../channels/index.ts'
import { closeChannelAlert } from './channel-alerts.ts'
import { commitRun } from './commit-run.ts'
import { loadFeedChannel } from './feed-channel.ts'
import { watchFill } from './fill-alert.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { LOOKBACK_MS, loadSchedule, type PlanDeps } from './plan-channel.ts'
import { watchStart } from './start-alert.ts'
import { ensureTimeline, lockTimeline, type TimelineId } from './timeline-store.ts'

/** While its slates are being made a start is tried this often. */
const TRY_AGAIN_MS = 1_000

const AS_RUN_AFTER_MS = 60_000

/** Orders a channel onto the air; it gets there as soon as everything that it needs is ready. */
export async function orderStart(tx: Transaction, actor: Actor, channelId: string): Promise<Channel> {
  const channel = await requireChannelLocked(tx, actor.accountId, channelId)
  if (channel.status === 'ON_AIR' || channel.status === 'PENDING_ON_AIR') return channel
  const started = await changeStatus(tx, actor, channel, { status: 'PENDING_ON_AIR', offAirMs: null })
  const { accountId } = actor
  await setDue(tx, { kind: 'start_channel', subjectId: channel.channelId, accountId, dueMs: actor.nowMs })
  return started
}

/** Puts a channel on the air that was ordered there. */
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
  const actor = platformActor(accountId, nowMs)
  const schedule = await loadSchedule(tx, deps, channel, nowMs)
  if (schedule === undefined || record.feedEpoch !== record.currentEpoch) {
    await watchStart(tx, channel, nowMs)
    await setDue(tx, { kind: 'start_channel', subjectId: channelId, accountId, dueMs: nowMs + TRY_AGAIN_MS })
    return
  }
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  const run = planRun(before, schedule, nowMs)
  await closeChannelAlert(tx, channel, 'channel.start_waiting', nowMs)
  await watchFill(tx, channel, schedule, nowMs)
  await commitRun(
    tx,
    { ...before, record: { ...record, changedMs: null } },
    run,
    await loadFeedChannel(tx, channel),
    nowMs,
  )
  await changeStatus(tx, actor, channel, { status: 'ON_AIR', overrideStatus: 'SCHEDULED', offAirMs: null })
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
  await setDue(tx, { kind: 'record_as_run', subjectId: channelId, accountId, dueMs: nowMs + AS_RUN_AFTER_MS })
}

/** One that has not gone off the air yet goes on without a pause. */
function planRun({ timeline, record }: CommittedTimeline, schedule: Schedule, nowMs: number): Run {
  const onAir = { timeline, live: noLive, nowMs }
  const isEnding = timeline.runs.at(-1)?.isEnd === true && record.reachMs !== null && record.reachMs > nowMs
  const result = isEnding ? planSchedule(onAir, schedule) : undefined
  return result?.kind === 'planned' ? result.run : planStart(onAir, schedule)
}
