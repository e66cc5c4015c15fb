import { type ChangeMessage, type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'

/** Steps that came before one that is missing. */
export interface MissingSteps {
  keep(key: FeedChannelId, message: ChangeMessage, nowMs: number): void
  /** The step that comes next, once the one before it is there. */
  take(channelId: string, last: FeedVersion): ChangeMessage | undefined
  /** A channel has come so far. */
  reached(channelId: string, last: FeedVersion, nowMs: number): void
  /** The channels that have missed something for too long, each now and then. */
  listOverdue(nowMs: number): FeedChannelId[]
  /** All that are kept. */
  list(): Iterable<{ readonly key: FeedChannelId; readonly message: ChangeMessage }>
  count(): number
}

/** More than a channel changes in the time that an answer takes; what is beyond comes with the whole. */
const KEPT_STEPS = 16

/** A step is on its way for milliseconds: one that has not come by then was lost. */
const PATIENCE_MS = 2_000

/** A whole is made from the database and sent to every node, so that it is not asked for lightly. */
const ASK_AGAIN_MS = 5_000

interface Gap {
  readonly key: FeedChannelId
  readonly steps: Map<number, ChangeMessage>
  /** Of the latest step that is known to exist, kept or not. All that are kept are of its epoch. */
  latest: FeedVersion
  sinceMs: number
  askedMs: number
}

export function createMissingSteps(): MissingSteps {
  const gaps = new Map<string, Gap>()
  const open = (key: FeedChannelId, nowMs: number): Gap => {
    const latest = { epoch: 0, version: 0 }
    const gap = { key, steps: new Map(), latest, sinceMs: nowMs, askedMs: Number.NEGATIVE_INFINITY }
    gaps.set(key.channelId, gap)
    return gap
  }
  return {
    keep(key, message, nowMs) {
      const gap = gaps.get(key.channelId) ?? open(key, nowMs)
      const { epoch, version } = message
      if (epoch < gap.latest.epoch) return
      if (epoch > gap.latest.epoch) gap.steps.clear()
      if (isNewer(message, gap.latest)) gap.latest = { epoch, version }
      if (gap.steps.size < KEPT_STEPS) gap.steps.set(version, message)
    },
    take(channelId, { epoch, version }) {
      const gap = gaps.get(channelId)
      if (gap?.latest.epoch !== epoch) return undefined
      const message = gap.steps.get(version + 1)
      gap.steps.delete(version + 1)
      return message
    },
    reached(channelId, last, nowMs) {
      const gap = gaps.get(channelId)
      if (gap === undefined) return
      if (!isNewer(gap.latest, last)) gaps.delete(channelId)
      if (gap.latest.epoch === last.epoch)
        for (const kept of gap.steps.keys()) if (kept <= last.version) gap.steps.delete(kept)
      gap.sinceMs = nowMs
    },
    listOverdue(nowMs) {
      const overdue = [...gaps.values()].filter(
        ({ sinceMs, askedMs }) => nowMs - sinceMs >= PATIENCE_MS && nowMs - askedMs >= ASK_AGAIN_MS,
      )
      for (const gap of overdue) gap.askedMs = nowMs
      return overdue.map(({ key }) => key)
    },
    *list() {
      for (const { key, steps } of gaps.values()) for (const message of steps.values()) yield { key, message }
    },
    count: () => gaps.size,
  }
}
