import { isInTime } from '../timeline/live-log.ts'

/** Consecutive slots whose segments have continuous timestamps. */
export interface SlotRange {
  readonly firstSlot: number
  readonly endSlot: number
  readonly epoch: number
  /** Part of the folder of its segments, which cannot be guessed. */
  readonly key: string
}

/** Media of one slot. */
export interface SlotEntry {
  readonly slot: number
  readonly epoch: number
  readonly key: string
}

/**
 * The log of one input of a source, stored on the bus as one message: it is replaced with every slot, so that a
 * new reader needs one message for two days.
 */
export interface SlotLog {
  /** Token of the lease under which it was written. */
  readonly token: number
  /** Folder of the source in the media store. */
  readonly folder: string
  readonly slotMs: number
  /** The first slot that it knows: earlier ones were dropped. */
  readonly knownFrom: number
  /** Slots with media that was in time, in order. All other slots are fill. */
  readonly ranges: readonly SlotRange[]
  /** The last entry written. The broker's time of this message shows whether it was in time. */
  readonly newest: SlotEntry | null
}

/** A log as read. */
export interface StoredLog {
  readonly log: SlotLog
  /** When the broker stored it, by the broker's clock. */
  readonly storedMs: number
}

/**
 * Largest number of ranges: beyond it the oldest are dropped, so that the log of a source that breaks
 * constantly is bounded.
 */
export const RANGES_MOST = 200

/** The ranges, including the newest slot if the broker stored it in time. */
export function settledRanges(
  { ranges, newest, slotMs }: Pick<SlotLog, 'ranges' | 'newest' | 'slotMs'>,
  storedMs: number,
): readonly SlotRange[] {
  if (newest === null || !isInTime(newest.slot, slotMs, storedMs)) return ranges
  return addSlot(ranges, newest)
}

/** The log with one more slot, without those before `keptFrom`. */
export function nextLog(
  before: StoredLog | undefined,
  entry: SlotEntry,
  { token, folder, slotMs, keptFrom }: Pick<SlotLog, 'token' | 'folder' | 'slotMs'> & { keptFrom: number },
): SlotLog {
  const settled = before === undefined ? [] : settledRanges(before.log, before.storedMs)
  // A writer without an earlier log knows nothing before its first entry.
  const kept = dropOld(settled, before?.log.knownFrom ?? entry.slot, keptFrom)
  return { token, folder, slotMs, ...kept, newest: entry }
}

/**
 * What a reader knows after another message. Both count, because a settled slot never changes: a writer that began after
 * the stream was lost may know less than its readers do, in all of its messages.
 */
export function followLog(before: StoredLog | undefined, after: StoredLog, keptFrom: number): StoredLog {
  if (before === undefined) return after
  const ranges = joinRanges(settledRanges(before.log, before.storedMs), after.log.ranges)
  const kept = dropOld(ranges, Math.min(before.log.knownFrom, after.log.knownFrom), keptFrom)
  return { ...after, log: { ...after.log, ...kept } }
}

/** The slots of both, in order. If both contain a slot, its content is the same. */
export function joinRanges(one: readonly SlotRange[], other: readonly SlotRange[]): readonly SlotRange[] {
  const joined: SlotRange[] = []
  for (const range of [...one, ...other].toSorted((a, b) => a.firstSlot - b.firstSlot)) {
    const last = joined.at(-1)
    const firstSlot = Math.max(range.firstSlot, last?.endSlot ?? 0)
    if (firstSlot >= range.endSlot) continue
    const isNext = last?.endSlot === firstSlot && last.epoch === range.epoch && last.key === range.key
    if (isNext) joined[joined.length - 1] = { ...last, endSlot: range.endSlot }
    else joined.push({ ...range, firstSlot })
  }
  return joined
}

/** A log to be stored elsewhere too, as a message whose own time does not matter. */
export const settledLog = ({ log, storedMs }: StoredLog): SlotLog => ({
  ...log,
  ranges: settledRanges(log, storedMs),
  newest: null,
})

function dropOld(
  settled: readonly SlotRange[],
  from: number,
  keptFrom: number,
): Pick<SlotLog, 'ranges' | 'knownFrom'> {
  const recent = settled.filter(({ endSlot }) => endSlot > keptFrom)
  const ranges = recent.slice(-RANGES_MOST)
  const droppedBefore = recent.length > ranges.length ? ranges[0]!.firstSlot : 0
  return { ranges, knownFrom: Math.max(from, keptFrom, droppedBefore) }
}

function addSlot(ranges: readonly SlotRange[], { slot, epoch, key }: SlotEntry): readonly SlotRange[] {
  const last = ranges.at(-1)
  const isNext = last !== undefined && last.endSlot === slot && last.epoch === epoch && last.key === key
  if (isNext) return [...ranges.slice(0, -1), { ...last, endSlot: slot + 1 }]
  return [...ranges, { firstSlot: slot, endSlot: slot + 1, epoch, key }]
}

/** The first epoch and slot for a writer that continues a log: no existing slot or epoch is reused. */
export function continuationOf(log: SlotLog | undefined): { readonly epoch: number; readonly slot: number } {
  const { newest = null, ranges = [] } = log ?? {}
  const last = ranges.at(-1)
  return {
    epoch: Math.max(newest?.epoch ?? 0, last?.epoch ?? 0) + 1,
    slot: Math.max(newest === null ? 0 : newest.slot + 1, last?.endSlot ?? 0),
  }
}
