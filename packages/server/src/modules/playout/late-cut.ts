import type { ChannelState } from '@continuity/core/feed/channel-state'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { type PackedRun, unpackAround } from '@continuity/core/timeline/packed'
import { publishedUntil } from '@continuity/core/timeline/window'

/** Whether a step takes back what is listed by now. Only a node that was cut off from the feed may ever see one. */
export function isLateCut(before: ChannelState, message: FeedMessage, ticks: number): boolean {
  const late = runsOf(message).filter((run) => isLate(run, before, ticks))
  if (late.length === 0) return false
  // One segment is enough to ask for the last that is listed.
  const timeline = unpackAround(before.timeline, ticks, 1, 'ACTUAL')
  const published = timeline === undefined ? undefined : publishedUntil(timeline, ticks)
  return published !== undefined && late.some(({ firstSequence }) => firstSequence < published)
}

const runsOf = (message: FeedMessage): readonly PackedRun[] =>
  message.kind === 'whole' ? message.timeline.runs : message.runs

/** A start comes after an end: it has nothing to take back, though its lead lies before the time it is shown from. */
const isLate = ({ number, isStart, startTicks }: PackedRun, { timeline }: ChannelState, ticks: number) =>
  number > timeline.version && !isStart && startTicks < ticks
