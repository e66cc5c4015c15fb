/** Number of segments queued before the first is shown, and the largest queue. */
export interface BufferSize {
  readonly depth: number
  readonly most: number
}

/**
 * The delay of a source: two of its target durations, and one segment for encoding. Its segments arrive in
 * bursts of a target duration, so more than one burst beyond the delay means that its clock is fast.
 */
export function bufferSize(targetMs: number, slotMs: number): BufferSize {
  const depth = Math.ceil((2 * targetMs) / slotMs) + 1
  return { depth, most: depth + Math.ceil(targetMs / slotMs) + 1 }
}

export interface SlotMedia<T> {
  readonly segment: T
  /** Differs from that of the previous slot if the timestamps do not continue. */
  readonly epoch: number
}

/**
 * Assigns the segments of a source to slots of the broker's time, one each. A slot without a segment in time is
 * filled; a source that is too fast loses segments. Segments are never stretched or shown twice.
 */
export interface SlotBuffer<T> {
  /** The next segment, in order. `isBreak`: its timestamps do not continue those of the previous one. */
  add(segment: T, isBreak: boolean): void
  /**
   * What the next slot shows. Undefined if there is nothing yet; called again for the same slot until its
   * deadline.
   */
  take(): SlotMedia<T> | undefined
  /** The deadline of a slot has passed without media: the delay builds up again. */
  miss(): void
  /** Segments that will not be shown: the caller deletes them. */
  dropped(): readonly T[]
  waiting(): number
}

export function createSlotBuffer<T>({ depth, most }: BufferSize, firstEpoch: number): SlotBuffer<T> {
  const queue: { readonly segment: T; readonly isBreak: boolean }[] = []
  let epoch = firstEpoch
  let isFirst = true
  let isFilling = true
  let isBroken = false // segments between the last one shown and the next in the queue were dropped
  let dropped: T[] = []

  const drop = () => {
    dropped.push(queue.shift()!.segment)
    isBroken = true
  }
  return {
    add(segment, isBreak) {
      queue.push({ segment, isBreak })
      // Nothing is being taken: keep the newest segments, in bounded memory.
      if (queue.length > 2 * most) drop()
    },
    take() {
      if (isFilling && queue.length < depth) return undefined
      if (queue.length === 0) return undefined
      isFilling = false
      if (queue.length > most) while (queue.length > depth) drop()
      const { segment, isBreak } = queue.shift()!
      if (!isFirst && (isBreak || isBroken)) epoch += 1
      isFirst = false
      isBroken = false
      return { segment, epoch }
    },
    miss() {
      isFilling = true
    },
    dropped() {
      const gone = dropped
      dropped = []
      return gone
    },
    waiting: () => queue.length,
  }
}
