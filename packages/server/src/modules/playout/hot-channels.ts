import { crc32 } from 'node:zlib'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { ticksOf } from '@continuity/core/time/ticks'
import { UNPACKED_TICKS, type Unpacked, unpackFrom } from './unpacked.ts'

/** The unpacked parts of the channels that somebody watches. */
export interface HotChannels {
  unpack(state: ChannelState, ticks: number, nowMs: number): Unpacked
  /** What a channel was is no longer so. */
  forget(channelId: string): void
  /** Leaves out what nobody has asked for since then. */
  sweep(sinceMs: number): void
  /** How many parts are unpacked. */
  count(): number
}

interface HotPart {
  readonly unpacked: Unpacked
  askedMs: number // written by `unpack` at every request
}

/** Viewers at so many times of one channel; for more of them it is unpacked anew. */
const PARTS_OF_A_CHANNEL = 32

export function createHotChannels(): HotChannels {
  const channels = new Map<string, Map<number, HotPart>>()
  /** The part that was requested longest ago goes, but never the one that live viewers are in. */
  const makeRoom = (parts: Map<number, HotPart>, liveAt: number) => {
    if (parts.size < PARTS_OF_A_CHANNEL) return
    const past = [...parts].filter(([at]) => at !== liveAt)
    const [evicted] = past.reduce((one, other) => (other[1].askedMs < one[1].askedMs ? other : one))
    parts.delete(evicted)
  }
  return {
    unpack(state, ticks, nowMs) {
      const { channelId } = state.channel
      const at = partAt(channelId, ticks)
      const parts = channels.get(channelId) ?? new Map<number, HotPart>()
      const found = parts.get(at)
      if (found !== undefined) {
        found.askedMs = nowMs
        return found.unpacked
      }
      const unpacked = unpackFrom(state, at)
      if (unpacked === undefined) throw new Error(`the timeline of channel ${channelId} is corrupt`)
      makeRoom(parts, partAt(channelId, ticksOf(nowMs)))
      channels.set(channelId, parts.set(at, { unpacked, askedMs: nowMs }))
      return unpacked
    },
    forget: (channelId) => void channels.delete(channelId),
    sweep(sinceMs) {
      for (const [channelId, parts] of channels) {
        for (const [at, { askedMs }] of parts) if (askedMs < sinceMs) parts.delete(at)
        if (parts.size === 0) channels.delete(channelId)
      }
    },
    count: () => channels.values().reduce((sum, { size }) => sum + size, 0),
  }
}

/** Where the part begins that a time is in. Channels begin theirs at different times, or all would be due at once. */
function partAt(channelId: string, ticks: number): number {
  const shift = crc32(channelId) % UNPACKED_TICKS
  return Math.floor((ticks - shift) / UNPACKED_TICKS) * UNPACKED_TICKS + shift
}
