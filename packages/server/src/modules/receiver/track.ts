import type { TrackItem } from './track-reader.ts'

/** The items of a track in order, with one item of lookahead. */
export interface Track {
  peek(): Promise<TrackItem>
  take(): void
  /** Whether a segment is available; lost items before it are dropped. */
  isReady(): boolean
  /** Puts the item that was taken last back to the front. */
  putBack(): void
}

export function createTrack(reading: AsyncGenerator<TrackItem, never>): Track {
  const items: TrackItem[] = [] // read and not taken
  let last: TrackItem | undefined
  let next: Promise<TrackItem> | undefined // being read
  const read = () => {
    next ??= reading.next().then(({ value }) => {
      items.push(value)
      next = undefined
      return value
    })
    // May run ahead of `peek`, which throws the fault.
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
