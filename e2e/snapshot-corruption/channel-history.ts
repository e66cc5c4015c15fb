import type { FeedChannel, FeedMessage } from '@continuity/core/feed/feed-message'
import { planRescue, planSchedule, planStart, planStop } from '@continuity/core/planning/plan'
import type { ScheduledProgram } from '@continuity/core/schedule/scheduled-program'
import { aPod, aProgram, aVideo, ORIGIN_MS, someSlates } from '@continuity/core/schedule/testing/a-schedule'
import { addPacked, emptyPacked, packRun } from '@continuity/core/timeline/codec/packed'
import { noLive } from '@continuity/core/timeline/discontinuity'
import type { OnAir } from '@continuity/core/timeline/on-air'
import { applyRun, emptyTimeline, type Run, type Timeline } from '@continuity/core/timeline/run'
import { aCut, aSchedule } from '@continuity/core/timeline/testing/control-room'
import type { Draw } from '../draw.ts'

/** All feed messages of a channel, and its state after each. */
export interface ChannelHistory {
  readonly channelId: string
  readonly updates: readonly FeedMessage[]
  /** After the update of the same index. */
  readonly versions: readonly CommittedVersion[]
}

export interface CommittedVersion {
  readonly channel: FeedChannel
  readonly timeline: Timeline
}

/** The feed contains a snapshot of a channel at least every so many updates. */
const SNAPSHOT_EVERY = 8

/** Some hours, so that runs are as large as in production. */
const SCHEDULED_SECONDS = 6 * 3_600

/** A channel that is started, switched to rescue, rescheduled, stopped and renamed at random. */
export function drawHistory(draw: Draw, index: number): ChannelHistory {
  const channelId = `0198b0a0-0000-7000-8000-${String(index).padStart(12, '0')}`
  const updates: FeedMessage[] = []
  const versions: CommittedVersion[] = []
  let packed = emptyPacked
  const commit = (channel: FeedChannel, timeline: Timeline, run: Run | undefined) => {
    const version = versions.push({ channel, timeline })
    const runs = run === undefined ? [] : [packRun(run)]
    packed = runs.reduce(addPacked, packed)
    const isRenamed = channel !== versions.at(-2)?.channel
    updates.push(
      version % SNAPSHOT_EVERY === 1
        ? { kind: 'whole', epoch: 1, version, channel, timeline: packed }
        : { kind: 'change', epoch: 1, version, channel: isRenamed ? channel : null, runs, settled: [] },
    )
  }

  let channel = aChannelCalled(channelId, 'first')
  let timeline = emptyTimeline
  let nowMs = ORIGIN_MS
  commit(channel, timeline, undefined)
  for (const _ of draw.some(3, 16, () => 0)) {
    nowMs += 1_000 + draw.below(60_000)
    if (draw.chance(0.2)) {
      channel = aChannelCalled(channelId, `named at ${nowMs}`)
      commit(channel, timeline, undefined)
      continue
    }
    const run = drawRun(draw, { timeline, live: noLive, nowMs }, index)
    if (run === undefined) continue
    timeline = applyRun(timeline, run)
    commit(channel, timeline, run)
  }
  return { channelId, updates, versions }
}

export const outputs = [
  { distributor: 'direct', windowMs: 32_000, policy: 'ACTUAL', markers: 'BOTH' },
  { distributor: 'wide', windowMs: 120_000, policy: 'FULL_LENGTH', markers: 'CUE' },
] as const

const aChannelCalled = (channelId: string, title: string): FeedChannel => ({
  accountId: 'north',
  channelId,
  title,
  description: '',
  frameRate: 30,
  segmentMs: 3_200,
  outputs: outputs.map(({ policy, ...output }) => ({ ...output, key: null, breakPolicy: policy })),
})

/** Undefined if the command is rejected. A channel that is off air is started. */
function drawRun(draw: Draw, onAir: OnAir, index: number): Run | undefined {
  const { runs } = onAir.timeline
  if (runs.length === 0 || runs.at(-1)!.isEnd) return planStart(onAir, drawSchedule(draw, index))
  const commands = [
    () => planRescue(onAir, someSlates().rescue, aCut),
    () => planSchedule(onAir, drawSchedule(draw, index)),
    () => planSchedule(onAir, drawSchedule(draw, index), onAir.nowMs + 60_000),
    () => planStop(onAir),
  ]
  const result = draw.one(commands)()
  return result.kind === 'planned' ? result.run : undefined
}

/** Uses videos of this channel and schedule only, so that each version of a channel has distinct playlists. */
function drawSchedule(draw: Draw, index: number) {
  const programs: ScheduledProgram[] = []
  const name = `channel-${index}/${draw.below(1_000_000)}`
  for (let startSeconds = 0; startSeconds < SCHEDULED_SECONDS; startSeconds += 600)
    programs.push(
      aProgram(
        startSeconds,
        startSeconds + 600,
        aVideo(`${name}-${startSeconds}`, 200 + draw.below(300)),
        aPod(30),
      ),
    )
  return aSchedule(SCHEDULED_SECONDS, ...programs)
}
