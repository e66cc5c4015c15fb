import { stillKey } from '../media/segment-index.ts'
import type { LiveView } from './discontinuity.ts'
import type { Timeline } from './run.ts'
import { shownAt } from './shown.ts'
import { windowAt } from './window.ts'

/**
 * The object key of the picture of a channel at a time: the still of the last segment that its playlists list, so that it
 * shows nothing that a player cannot have. Undefined if the channel is off the air.
 */
export function pictureAt(timeline: Timeline, ticks: number, live: LiveView): string | undefined {
  const last = windowAt(timeline, ticks, 1, live)?.parts.at(-1)
  if (last === undefined) return undefined
  const { path, number } = shownAt(last.span, last.to - 1, live.findLog)
  return stillKey(path, number)
}
