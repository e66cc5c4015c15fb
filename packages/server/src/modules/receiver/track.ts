import type { TrackItem } from './track-reader.ts'

/** What is read of a track, one item after another; the next one can be looked at before it is taken. */
export interface Track {
  peek(): Promise<TrackItem>
  take(): void
  /** Whether a segment is there; what was lost before it is dropped. */
  isReady(): boolean
  /** Makes the one that was taken last the next one again, as the beginning of something new. */
  putBack(): void
}

export function createTrack(reading: AsyncGenerator<TrackItem, never>): Track {
  const items: TrackItem[] = [] // what was read and not taken
  let last: TrackItem | undefined
  let next: Promise<TrackItem> | undefined // being read
  const read = () => {
    next ??= reading.next().then(({ value }) => {
      items.push(value)
      next = undefined
      return value
    })
    // Also read ahead of whoever peeks; a fault is theirs.
    next.catch(() => {})
    return next
  }
  return {
    async peek() {
      return items[0] ?? read()
    },
    take() {
      last = items.shift()
    },
    isReady() {
      while (items[0]?.kind === 'lost') items.shift()
      if (items.length === 0) void read()
      return items.length > 0
    },
    putBack() {
      if (last?.kind === 'segment') items.unshift({ ...last, isBreak: false })
      last = undefined
    },
  }
}
