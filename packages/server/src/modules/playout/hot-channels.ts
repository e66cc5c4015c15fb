import { crc32 } from 'node:zlib'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { delayOf } from '@continuity/core/feed/feed-message'
import { ticksOf } from '@continuity/core/time/ticks'
import { UNPACKED_TICKS, type Unpacked, unpackFrom } from './unpacked.ts'

/** Cache of the unpacked parts of channels with viewers. */
export interface HotChannels {
  unpack(state: ChannelState, ticks: number, nowMs: number): Unpacked
  /** Evicts a channel that has changed. */
  evict(channelId: string): void
  /** Evicts parts not requested since then. */
  sweep(sinceMs: number): void
  /** Number of unpacked parts. */
  count(): number
}

interface HotPart {
  readonly unpacked: Unpacked
  requestedMs: number // written by `unpack` at every request
}

/** Parts cached per channel, besides those of delayed outputs. */
const PARTS_OF_A_CHANNEL = 32

export function createHotChannels(): HotChannels {
  const channels = new Map<string, Map<number, HotPart>>()
  /** Evicts the least recently requested part, but never those of viewers without a time shift. */
  const makeRoom = (parts: Map<number, HotPart>, state: ChannelState, nowMs: number) => {
    if (parts.size < PARTS_OF_A_CHANNEL) return
    const unshifted = partsWithoutShift(state, nowMs)
    const past = [...parts].filter(([at]) => !unshifted.has(at))
    if (past.length < PARTS_OF_A_CHANNEL - 1) return
    const [evicted] = past.reduce((one, other) => (other[1].requestedMs < one[1].requestedMs ? other : one))
    parts.delete(evicted)
  }
  return {
    unpack(state, ticks, nowMs) {
      const { channelId } = state.channel
      const at = partAt(channelId, ticks)
      const parts = channels.get(channelId) ?? new Map<number, HotPart>()
      const found = parts.get(at)
      if (found !== undefined) {
        found.requestedMs = nowMs
        return found.unpacked
      }
      const unpacked = unpackFrom(state, at)
      if (unpacked === undefined) throw new Error(`the timeline of channel ${channelId} is corrupt`)
      makeRoom(parts, state, nowMs)
      channels.set(channelId, parts.set(at, { unpacked, requestedMs: nowMs }))
      return unpacked
    },
    evict: (channelId) => void channels.delete(channelId),
    sweep(sinceMs) {
      for (const [channelId, parts] of channels) {
        for (const [at, { requestedMs }] of parts) if (requestedMs < sinceMs) parts.delete(at)
        if (parts.size === 0) channels.delete(channelId)
      }
    },
    count: () => channels.values().reduce((sum, { size }) => sum + size, 0),
  }
}

function partsWithoutShift({ channel: { channelId, outputs } }: ChannelState, nowMs: number): Set<number> {
  return new Set(outputs.map((output) => partAt(channelId, ticksOf(nowMs - delayOf(output)))))
}

/** The start of the part that contains a time. Offset per channel, so that parts do not end at the same time for all channels. */
function partAt(channelId: string, ticks: number): number {
  const shift = crc32(channelId) % UNPACKED_TICKS
  return Math.floor((ticks - shift) / UNPACKED_TICKS) * UNPACKED_TICKS + shift
}
