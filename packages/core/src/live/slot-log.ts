import { isInTime } from '../timeline/live-log.ts'

/** Slots one after another whose segments are one stream of timestamps. */
export interface SlotRange {
  readonly firstSlot: number
  readonly endSlot: number
  readonly epoch: number
  /** Where the segments of its slots lie follows from it, and cannot be guessed without it. */
  readonly key: string
}

/** Media of one slot. */
export interface SlotEntry {
  readonly slot: number
  readonly epoch: number
  readonly key: string
}

/**
 * The log of one input of a source, as the one message that it is on the bus: it is replaced with every slot, so that one
 * who begins to follow reads one message for two days.
 */
export interface SlotLog {
  /** Of the lease that it was written under. */
  readonly token: number
  /** Of the source in the media store. */
  readonly folder: string
  readonly slotMs: number
  /** The first slot that it knows of: earlier ones were forgotten. */
  readonly knownFrom: number
  /** Slots with media that was in time, in order. Whatever is in none of them is fill. */
  readonly ranges: readonly SlotRange[]
  /** The last one written. Whether it was in time, the broker's time of this message shows. */
  readonly newest: SlotEntry | null
}

/** A log as it was read. */
export interface StoredLog {
  readonly log: SlotLog
  /** When the broker stored it, by the broker's clock. */
  readonly storedMs: number
}

/** A source that breaks all the time would have a log without end: beyond so many ranges the oldest are forgotten. */
export const RANGES_MOST = 200

/** The ranges with the newest slot, where the broker had stored it in time. */
export function settledRanges(
  { ranges, newest, slotMs }: Pick<SlotLog, 'ranges' | 'newest' | 'slotMs'>,
  storedMs: number,
): readonly SlotRange[] {
  if (newest === null || !isInTime(newest.slot, slotMs, storedMs)) return ranges
  return addSlot(ranges, newest)
}

/** The log with one more slot, of which those before `keptFrom` are forgotten. */
export function nextLog(
  before: StoredLog | undefined,
  entry: SlotEntry,
  { token, folder, slotMs, keptFrom }: Pick<SlotLog, 'token' | 'folder' | 'slotMs'> & { keptFrom: number },
): SlotLog {
  const settled = before === undefined ? [] : settledRanges(before.log, before.storedMs)
  // One who begins without a log knows nothing of what was before.
  const kept = forgetOld(settled, before?.log.knownFrom ?? entry.slot, keptFrom)
  return { token, folder, slotMs, ...kept, newest: entry }
}

/**
 * What one who follows a log knows after another message. A writer continues its own log; what another writes may be less
 * than was known, because the stream was lost, and then both count: no verdict is ever taken back.
 */
export function followLog(before: StoredLog | undefined, after: StoredLog, keptFrom: number): StoredLog {
  if (before === undefined) return after
  // A copy that was published again has no newest slot.
  const isContinued =
    after.log.newest !== null &&
    after.log.token === before.log.token &&
    after.log.knownFrom <= Math.max(before.log.knownFrom, keptFrom)
  if (isContinued) return after
  const ranges = joinRanges(settledRanges(before.log, before.storedMs), after.log.ranges)
  const kept = forgetOld(ranges, Math.min(before.log.knownFrom, after.log.knownFrom), keptFrom)
  return { ...after, log: { ...after.log, ...kept } }
}

/** The slots of both, in order. Where both have a slot they have the same of it. */
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

/** A log that is stored elsewhere too, as a message whose own time does not matter. */
export const settledLog = ({ log, storedMs }: StoredLog): SlotLog => ({
  ...log,
  ranges: settledRanges(log, storedMs),
  newest: null,
})

function forgetOld(
  settled: readonly SlotRange[],
  from: number,
  keptFrom: number,
): Pick<SlotLog, 'ranges' | 'knownFrom'> {
  const recent = settled.filter(({ endSlot }) => endSlot > keptFrom)
  const ranges = recent.slice(-RANGES_MOST)
  const forgotten = recent.length > ranges.length ? ranges[0]!.firstSlot : 0
  return { ranges, knownFrom: Math.max(from, keptFrom, forgotten) }
}

function addSlot(ranges: readonly SlotRange[], { slot, epoch, key }: SlotEntry): readonly SlotRange[] {
  const last = ranges.at(-1)
  const isNext = last !== undefined && last.endSlot === slot && last.epoch === epoch && last.key === key
  if (isNext) return [...ranges.slice(0, -1), { ...last, endSlot: slot + 1 }]
  return [...ranges, { firstSlot: slot, endSlot: slot + 1, epoch, key }]
}

/** The first epoch and slot for one who continues a log: nothing of what is there is continued or written again. */
export function continuationOf(log: SlotLog | undefined): { readonly epoch: number; readonly slot: number } {
  const { newest = null, ranges = [] } = log ?? {}
  const last = ranges.at(-1)
  return {
    epoch: Math.max(newest?.epoch ?? 0, last?.epoch ?? 0) + 1,
    slot: Math.max(newest === null ? 0 : newest.slot + 1, last?.endSlot ?? 0),
  }
}
