import { msOf } from '../time/ticks.ts'
import { type PackedRun, unpackAround } from '../timeline/codec/packed.ts'
import { decodeRun } from '../timeline/codec/run-codec.ts'
import { startOfSegment } from '../timeline/span.ts'
import { publishedUntil } from '../timeline/window.ts'
import type { ChannelState } from './channel-state.ts'
import type { FeedMessage } from './feed-message.ts'

/** Whether an update replaces segments already listed. Expected only on a node that was disconnected from the feed. */
export function isLateCut(before: ChannelState, message: FeedMessage, ticks: number): boolean {
  const late = runsOf(message).filter((run) => isLate(run, before, ticks))
  if (late.length === 0) return false
  // One segment is enough to find the last one listed.
  const timeline = unpackAround(before.timeline, ticks, 1, 'ACTUAL')
  const published = timeline === undefined ? undefined : publishedUntil(timeline, ticks)
  return published !== undefined && late.some(({ firstSequence }) => firstSequence < published)
}

/**
 * When playlists list the first segment of an update. Until then it replaces nothing that is listed; a start and an end
 * have no such time.
 */
export function firstListedMs(message: FeedMessage): number {
  const firsts = runsOf(message).flatMap((run) =>
    run.isStart ? [] : (decodeRun(run.bytes)?.spans.slice(0, 1) ?? []),
  )
  return Math.min(...firsts.map((span) => msOf(startOfSegment(span, 1))))
}

/** Whether an update ends a channel, or revokes a start. */
export const hasEnd = (message: FeedMessage): boolean =>
  runsOf(message).some(({ firstSequence, endSequence }) => endSequence === firstSequence)

const runsOf = (message: FeedMessage): readonly PackedRun[] =>
  message.kind === 'whole' ? message.timeline.runs : message.runs

/** A start follows an end, so it replaces nothing, though its pre-roll slate is before the time it is shown from. */
const isLate = ({ number, isStart, startTicks }: PackedRun, { timeline }: ChannelState, ticks: number) =>
  number > timeline.version && !isStart && startTicks < ticks
