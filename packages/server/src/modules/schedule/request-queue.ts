/** Channels whose snapshots playout nodes have requested. A node may request any channel, at any rate. */
export interface RequestQueue<Id> {
  add(id: Id, nowMs: number): void
  /** Those to publish now; to be called about once a second. */
  take(nowMs: number): readonly Id[]
}

/** A node that missed a message repeats its request after 2 s; the same channel is published once in this time. */
const AGAIN_MS = 5_000

/** Channels published at once. A worker publishes some 2,000 snapshots a second, so this leaves time for its other work. */
const TAKEN_AT_ONCE = 100

/** Requests beyond this are dropped; a node repeats its request. */
const WAITING_MAXIMUM = 1_000

export function createRequestQueue<Id extends { readonly channelId: string }>(): RequestQueue<Id> {
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
