import { type DeltaMessage, type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'

/** Deltas that arrived before one that is missing. */
export interface MissingUpdates {
  keep(key: FeedChannelId, message: DeltaMessage, nowMs: number): void
  /** The delta that follows `last`, if it was kept. */
  take(channelId: string, last: FeedVersion): DeltaMessage | undefined
  /** Call when a channel has reached this version. */
  reached(channelId: string, last: FeedVersion, nowMs: number): void
  /** Channels with a delta missing for too long; each is listed again after `REQUEST_AGAIN_MS`. */
  listOverdue(nowMs: number): FeedChannelId[]
  /** All kept deltas. */
  list(): Iterable<{ readonly key: FeedChannelId; readonly message: DeltaMessage }>
  count(): number
}

/** More than a channel changes until a requested snapshot arrives; further deltas are contained in that. */
const KEPT_DELTAS = 16

/** Delivery takes milliseconds: a delta that has not arrived by then was lost. */
const PATIENCE_MS = 2_000

/** A snapshot is built from the database and sent to every node, so requests are rate limited. */
const REQUEST_AGAIN_MS = 5_000

interface Gap {
  readonly key: FeedChannelId
  readonly deltas: Map<number, DeltaMessage>
  /** The latest delta seen, kept or not. All kept deltas are of its epoch. */
  latest: FeedVersion
  sinceMs: number
  requestedMs: number
}

export function createMissingUpdates(): MissingUpdates {
  const gaps = new Map<string, Gap>()
  const open = (key: FeedChannelId, nowMs: number): Gap => {
    const latest = { epoch: 0, version: 0 }
    const gap = { key, deltas: new Map(), latest, sinceMs: nowMs, requestedMs: Number.NEGATIVE_INFINITY }
    gaps.set(key.channelId, gap)
    return gap
  }
  return {
    keep(key, message, nowMs) {
      const gap = gaps.get(key.channelId) ?? open(key, nowMs)
      const { epoch, version } = message
      if (epoch < gap.latest.epoch) return
      if (epoch > gap.latest.epoch) gap.deltas.clear()
      if (isNewer(message, gap.latest)) gap.latest = { epoch, version }
      if (gap.deltas.size < KEPT_DELTAS) gap.deltas.set(version, message)
    },
    take(channelId, { epoch, version }) {
      const gap = gaps.get(channelId)
      if (gap?.latest.epoch !== epoch) return undefined
      const message = gap.deltas.get(version + 1)
      gap.deltas.delete(version + 1)
      return message
    },
    reached(channelId, last, nowMs) {
      const gap = gaps.get(channelId)
      if (gap === undefined) return
      if (!isNewer(gap.latest, last)) gaps.delete(channelId)
      if (gap.latest.epoch === last.epoch)
        for (const kept of gap.deltas.keys()) if (kept <= last.version) gap.deltas.delete(kept)
      gap.sinceMs = nowMs
    },
    listOverdue(nowMs) {
      const overdue = [...gaps.values()].filter(
        ({ sinceMs, requestedMs }) =>
          nowMs - sinceMs >= PATIENCE_MS && nowMs - requestedMs >= REQUEST_AGAIN_MS,
      )
      for (const gap of overdue) gap.requestedMs = nowMs
      return overdue.map(({ key }) => key)
    },
    *list() {
      for (const { key, deltas } of gaps.values())
        for (const message of deltas.values()) yield { key, message }
    },
    count: () => gaps.size,
  }
}
