import type { ChannelState } from '@continuity/core/feed/channel-state'
import { ticksOf } from '@continuity/core/time/ticks'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import { plannedUntil } from '@continuity/core/timeline/planned-until'
import type { ChannelStore } from './channel-store.ts'

/** How far the timelines of a node are planned. */
export interface Horizon {
  /** Call when a channel has changed. */
  note(channelId: string): void
  /** From now to the earliest end of a timeline of a channel on air; undefined if there is none or it is not computed yet. */
  nearestMs(nowMs: number): number | undefined
}

/** Unpacking a run of a day takes a quarter of a millisecond, so that a batch does not delay requests. */
const CHANNELS_AT_ONCE = 8

interface PlannedRange {
  readonly startTicks: number
  readonly plannedUntilTicks: number
  readonly isEnd: boolean
}

/** Processes changed channels between requests. */
export function createHorizon(store: Pick<ChannelStore, 'find'>): Horizon {
  const ranges = new Map<string, PlannedRange>()
  const changed = new Set<string>()
  const processBatch = () => {
    for (const channelId of changed.keys().take(CHANNELS_AT_ONCE).toArray()) {
      changed.delete(channelId)
      const range = findRange(store.find(channelId))
      if (range === undefined) ranges.delete(channelId)
      else ranges.set(channelId, range)
    }
    if (changed.size > 0) setImmediate(processBatch)
  }
  return {
    note(channelId) {
      if (changed.size === 0) setImmediate(processBatch)
      changed.add(channelId)
    },
    nearestMs(nowMs) {
      const nowTicks = ticksOf(nowMs)
      let nearest = Number.POSITIVE_INFINITY
      for (const { startTicks, plannedUntilTicks, isEnd } of ranges.values()) {
        const isOnAir = startTicks <= nowTicks && !(isEnd && plannedUntilTicks <= nowTicks)
        if (isOnAir && plannedUntilTicks < nearest) nearest = plannedUntilTicks
      }
      return Number.isFinite(nearest) ? Math.floor((nearest - nowTicks) / ticksOf(1)) : undefined
    },
  }
}

/** The end of the last run is the end of the timeline. */
function findRange(state: ChannelState | undefined): PlannedRange | undefined {
  const [first] = state?.timeline.runs ?? []
  const last = state?.timeline.runs.at(-1)
  if (first === undefined || last === undefined) return undefined
  const timeline = unpackBetween({ version: 0, runs: [last] }, last.startTicks, Number.MAX_SAFE_INTEGER)
  const plannedUntilTicks = timeline === undefined ? undefined : plannedUntil(timeline)
  return plannedUntilTicks === undefined
    ? undefined
    : { startTicks: first.startTicks, plannedUntilTicks, isEnd: last.isEnd }
}
