import type { Answer } from './answers.ts'
import type { CountedOutput } from './audience/audience-counter.ts'

/** A cached response and when it is valid. */
export interface CachedPlaylist {
  readonly channelId: string
  readonly answer: Answer
  /** Undefined if viewers are not counted. */
  readonly counted: CountedOutput | undefined
  readonly shiftMs: number
  /** The shift and the delay of the output: `fromTicks` and `untilTicks` are so much before the clock. */
  readonly behindTicks: number
  readonly fromTicks: number
  readonly untilTicks: number
  requestedMs: number // updated by each request
}

/** The responses that viewers share, by `keyOf` their request. */
export interface PlaylistCache {
  find(key: string): CachedPlaylist | undefined
  keep(key: string, cached: CachedPlaylist): void
  evict(channelId: string): void
  sweep(sinceMs: number): void
  count(): number
}

/** Any client may request any shift, so their number is limited: 20,000 take some 50 MB. */
const SHIFTED_MAXIMUM = 20_000

export function createPlaylistCache(): PlaylistCache {
  const all = new Map<string, CachedPlaylist>()
  const byChannel = new Map<string, Set<string>>()
  const shifted = new Set<string>() // least recently rendered first
  const drop = (key: string, { channelId }: CachedPlaylist) => {
    all.delete(key)
    shifted.delete(key)
    const keys = byChannel.get(channelId)
    keys?.delete(key)
    if (keys?.size === 0) byChannel.delete(channelId)
  }
  const makeRoom = () => {
    if (shifted.size < SHIFTED_MAXIMUM) return
    const [oldest] = shifted
    drop(oldest!, all.get(oldest!)!)
  }
  return {
    find: (key) => all.get(key),
    keep(key, cached) {
      if (cached.shiftMs > 0) {
        shifted.delete(key)
        makeRoom()
        shifted.add(key)
      }
      all.set(key, cached)
      const keys = byChannel.get(cached.channelId)
      if (keys === undefined) byChannel.set(cached.channelId, new Set([key]))
      else keys.add(key)
    },
    evict(channelId) {
      for (const key of byChannel.get(channelId) ?? []) drop(key, all.get(key)!)
    },
    sweep(sinceMs) {
      for (const [key, cached] of all) if (cached.requestedMs < sinceMs) drop(key, cached)
    },
    count: () => all.size,
  }
}
