import type { Answer } from './answers.ts'
import type { CountedOutput } from './audience/audience-counter.ts'

/** An answer, and when it is the right one. */
export interface Held {
  readonly channelId: string
  readonly answer: Answer
  /** Undefined where viewers are not counted. */
  readonly counted: CountedOutput | undefined
  readonly shiftMs: number
  readonly shiftTicks: number
  readonly fromTicks: number
  readonly untilTicks: number
  askedMs: number // written by whoever answers with it
}

/** The answers that viewers share, by what they ask for. */
export interface PlaylistCache {
  find(key: string): Held | undefined
  keep(key: string, held: Held): void
  forget(channelId: string): void
  sweep(sinceMs: number): void
  count(): number
}

/** Everybody may ask for any shift, so that there would be no end to them: 20,000 are some 50 MB. */
const SHIFTED_MAXIMUM = 20_000

export function createPlaylistCache(): PlaylistCache {
  const all = new Map<string, Held>()
  const byChannel = new Map<string, Set<string>>()
  const shifted = new Set<string>() // the one that was made last is the last
  const drop = (key: string, { channelId }: Held) => {
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
    keep(key, held) {
      if (held.shiftTicks > 0) {
        shifted.delete(key)
        makeRoom()
        shifted.add(key)
      }
      all.set(key, held)
      const keys = byChannel.get(held.channelId)
      if (keys === undefined) byChannel.set(held.channelId, new Set([key]))
      else keys.add(key)
    },
    forget(channelId) {
      for (const key of byChannel.get(channelId) ?? []) drop(key, all.get(key)!)
    },
    sweep(sinceMs) {
      for (const [key, held] of all) if (held.askedMs < sinceMs) drop(key, held)
    },
    count: () => all.size,
  }
}
