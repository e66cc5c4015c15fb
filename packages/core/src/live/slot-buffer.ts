/** How many segments wait before the first is shown, and how many may wait at most. */
export interface BufferSize {
  readonly depth: number
  readonly most: number
}

/**
 * The delay of a source: two of its target durations, and one segment for the time that encoding takes. Its segments arrive
 * in bursts of a target duration, so more than one burst beyond the delay means that its clock is fast.
 */
export function bufferSize(targetMs: number, slotMs: number): BufferSize {
  const depth = Math.ceil((2 * targetMs) / slotMs) + 1
  return { depth, most: depth + Math.ceil(targetMs / slotMs) + 1 }
}

export interface SlotMedia<T> {
  readonly segment: T
  /** Another number than that of the slot before: the timestamps do not continue. */
  readonly epoch: number
}

/**
 * Puts the segments of a source into slots of the broker's time, one each. A source that is late is filled for, one that is
 * early loses a segment; nothing is ever stretched, and no segment is shown twice.
 */
export interface SlotBuffer<T> {
  /** The next segment, in order. `isBreak`: its timestamps do not continue those of the one before. */
  add(segment: T, isBreak: boolean): void
  /** What the next slot shows. Undefined while it has nothing; asked again for the same slot until its deadline. */
  take(): SlotMedia<T> | undefined
  /** The deadline of a slot has passed without media: the delay is established anew. */
  miss(): void
  /** Segments that are not going to be shown: the caller removes them. */
  dropped(): readonly T[]
  waiting(): number
}

export function createSlotBuffer<T>({ depth, most }: BufferSize, firstEpoch: number): SlotBuffer<T> {
  const queue: { readonly segment: T; readonly isBreak: boolean }[] = []
  let epoch = firstEpoch
  let isFirst = true
  let isFilling = true
  let isBroken = false // something between the last segment shown and the next in the queue is missing
  let dropped: T[] = []

  const drop = () => {
    dropped.push(queue.shift()!.segment)
    isBroken = true
  }
  return {
    add(segment, isBreak) {
      queue.push({ segment, isBreak })
      // Nothing is taken: memory stays bounded, and what is left is the newest.
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
