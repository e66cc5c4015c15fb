import { type PlanResult, planStop, planStopAt } from '@continuity/core/planning/plan'
import { ticksOf } from '@continuity/core/time/ticks'
import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { clearDue } from '../../platform/due/due-rows.ts'
import { type Channel, channelAt, findChannelLocked, requireChannelLocked } from '../channels/index.ts'
import { commitRun } from './commit-run.ts'
import { type CommittedTimeline, loadTimeline } from './load-timeline.ts'
import { goOff, setOffAir } from './off-air.ts'
import { LOOKBACK_MS, loadLive, loadSchedule, type PlanDeps } from './plan-channel.ts'
import { lockTimeline, type TimelineId } from './timeline-store.ts'

/**
 * Takes a channel off the air when the program on it ends, or at once: then at the next boundary that no playlist has
 * listed. One that is not on the air yet stays off.
 */
export async function stopChannel(
  tx: Transaction,
  deps: PlanDeps,
  actor: Actor,
  channelId: string,
  isImmediate: boolean,
): Promise<Channel> {
  const channel = await requireChannelLocked(tx, actor.accountId, channelId)
  const record = await lockTimeline(tx, channel)
  const nowMs = deps.clock()
  if (channelAt(channel, nowMs).status === 'OFFLINE') return channel
  // One that was started again before it went off is still on the air.
  const isOnAir = record?.plannedUntilMs != null && record.plannedUntilMs > nowMs
  if (channel.status === 'PENDING_ON_AIR' && !isOnAir) return goOff(tx, { ...actor, nowMs }, channel)
  const isStopping = channel.status === 'PENDING_OFFLINE' && !isImmediate
  if (record === undefined || isStopping || !onAirStatuses.includes(channel.status)) return channel
  const before = await loadTimeline(tx, record, ticksOf(nowMs - LOOKBACK_MS))
  await clearDue(tx, { kind: 'start_channel', subjectId: channelId })
  const isEnding = before.timeline.runs.at(-1)?.isEnd === true
  if (isEnding && !isImmediate) return setOffAir(tx, channel, before, nowMs, actor)
  const result = await planEnd(tx, deps, channel, before, nowMs, isImmediate)
  // The end is nearer than any boundary at which it could be: it stays where it is.
  if (result.kind === 'rejected' && isEnding) return setOffAir(tx, channel, before, nowMs, actor)
  if (result.kind === 'rejected') return goOff(tx, { ...actor, nowMs }, channel)
  return setOffAir(tx, channel, await commitRun(tx, before, result.run, null, nowMs), nowMs, actor)
}

/** Statuses of a channel that is on the air, or may be. */
const onAirStatuses: readonly Channel['status'][] = ['ON_AIR', 'PENDING_OFFLINE', 'PENDING_ON_AIR']

async function planEnd(
  tx: Transaction,
  deps: PlanDeps,
  channel: Channel,
  before: CommittedTimeline,
  nowMs: number,
  isImmediate: boolean,
): Promise<PlanResult> {
  const onAir = { timeline: before.timeline, live: await loadLive(tx, deps, before), nowMs }
  const schedule = isImmediate ? undefined : await loadSchedule(tx, { ...channel, offAirMs: null }, nowMs)
  const running = schedule?.programs.find(
    ({ program: { startMs, endMs } }) => startMs <= nowMs && nowMs < endMs,
  )
  if (schedule === undefined || running === undefined) return planStop(onAir)
  return planStopAt(onAir, { ...schedule, endMs: running.program.endMs })
}

/** Takes a channel OFFLINE whose time on the air is over. */
export async function endChannel(
  tx: Transaction,
  { clock }: Pick<PlanDeps, 'clock'>,
  { accountId, channelId }: TimelineId,
): Promise<void> {
  const channel = await findChannelLocked(tx, accountId, channelId)
  const nowMs = clock()
  if (channel?.status !== 'PENDING_OFFLINE' || channel.offAirMs === null || channel.offAirMs > nowMs) return
  await goOff(tx, platformActor(accountId, nowMs), channel)
}
