/** Channels that playout nodes have asked for. Any node may ask for anything and as often as it likes. */
export interface AskQueue<Id> {
  add(id: Id, nowMs: number): void
  /** Those to publish now; to be called about once a second. */
  take(nowMs: number): readonly Id[]
}

/** A node that missed a message asks again after 2 s; the same channel twice in this time is of no use to anybody. */
const AGAIN_MS = 5_000

/** Channels published at once. A worker publishes some 2,000 snapshots a second, so this leaves it to its other work. */
const TAKEN_AT_ONCE = 100

/** More than this is not asked for in earnest; a node whose request was dropped repeats it. */
const WAITING_MAXIMUM = 1_000

export function createAskQueue<Id extends { readonly channelId: string }>(): AskQueue<Id> {
  const waiting = new Map<string, Id>()
  const takenMs = new Map<string, number>() // the oldest first
  return {
    add(id, nowMs) {
      const lastMs = takenMs.get(id.channelId)
      if (lastMs !== undefined && nowMs - lastMs < AGAIN_MS) return
      if (waiting.size < WAITING_MAXIMUM) waiting.set(id.channelId, id)
    },
    take(nowMs) {
      for (const [channelId, ms] of takenMs) {
        if (nowMs - ms < AGAIN_MS) break
        takenMs.delete(channelId)
      }
      const taken = [...waiting.values()].slice(0, TAKEN_AT_ONCE)
      for (const { channelId } of taken) {
        waiting.delete(channelId)
        takenMs.delete(channelId)
        takenMs.set(channelId, nowMs)
      }
      return taken
    },
  }
}
