import type { ChannelState } from '@continuity/core/feed/channel-state'
import { ticksOf } from '@continuity/core/time/ticks'
import { unpackBetween } from '@continuity/core/timeline/packed'
import { reachOf } from '@continuity/core/timeline/reach'
import type { ChannelStore } from './channel-store.ts'

/** How far the timelines reach that a node has. */
export interface Horizon {
  /** A channel has changed. */
  note(channelId: string): void
  /** From now to the nearest reach of a channel on the air; undefined where none is, or where it is not known yet. */
  nearestMs(nowMs: number): number | undefined
}

/** A run of a day takes a quarter of a millisecond to unpack; so many at once keep nobody waiting. */
const CHANNELS_AT_ONCE = 8

interface Reach {
  readonly startTicks: number
  readonly reachTicks: number
  readonly isEnd: boolean
}

/** Looks at what has changed in the time between requests. */
export function createHorizon(store: Pick<ChannelStore, 'find'>): Horizon {
  const reaches = new Map<string, Reach>()
  const changed = new Set<string>()
  const look = () => {
    for (const channelId of changed.keys().take(CHANNELS_AT_ONCE).toArray()) {
      changed.delete(channelId)
      const reach = findReach(store.find(channelId))
      if (reach === undefined) reaches.delete(channelId)
      else reaches.set(channelId, reach)
    }
    if (changed.size > 0) setImmediate(look)
  }
  return {
    note(channelId) {
      if (changed.size === 0) setImmediate(look)
      changed.add(channelId)
    },
    nearestMs(nowMs) {
      const nowTicks = ticksOf(nowMs)
      let nearest = Number.POSITIVE_INFINITY
      for (const { startTicks, reachTicks, isEnd } of reaches.values()) {
        const isOnAir = startTicks <= nowTicks && !(isEnd && reachTicks <= nowTicks)
        if (isOnAir && reachTicks < nearest) nearest = reachTicks
      }
      return Number.isFinite(nearest) ? Math.floor((nearest - nowTicks) / ticksOf(1)) : undefined
    },
  }
}

/** The last run alone says how far it reaches. */
function findReach(state: ChannelState | undefined): Reach | undefined {
  const [first] = state?.timeline.runs ?? []
  const last = state?.timeline.runs.at(-1)
  if (first === undefined || last === undefined) return undefined
  const timeline = unpackBetween({ version: 0, runs: [last] }, last.startTicks, Number.MAX_SAFE_INTEGER)
  const reachTicks = timeline === undefined ? undefined : reachOf(timeline)
  return reachTicks === undefined
    ? undefined
    : { startTicks: first.startTicks, reachTicks, isEnd: last.isEnd }
}
