import type { ChannelState } from '@continuity/core/feed/channel-state'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { type PackedRun, unpackAround } from '@continuity/core/timeline/codec/packed'
import { publishedUntil } from '@continuity/core/timeline/window'

/** Whether an update replaces segments already listed. Expected only on a node that was disconnected from the feed. */
export function isLateCut(before: ChannelState, message: FeedMessage, ticks: number): boolean {
  const late = runsOf(message).filter((run) => isLate(run, before, ticks))
  if (late.length === 0) return false
  // One segment is enough to find the last one listed.
  const timeline = unpackAround(before.timeline, ticks, 1, 'ACTUAL')
  const published = timeline === undefined ? undefined : publishedUntil(timeline, ticks)
  return published !== undefined && late.some(({ firstSequence }) => firstSequence < published)
}

const runsOf = (message: FeedMessage): readonly PackedRun[] =>
  message.kind === 'whole' ? message.timeline.runs : message.runs

/** A start follows an end, so it replaces nothing, though its pre-roll slate is before the time it is shown from. */
const isLate = ({ number, isStart, startTicks }: PackedRun, { timeline }: ChannelState, ticks: number) =>
  number > timeline.version && !isStart && startTicks < ticks
