import { lastIndexBy } from '../timeline/find.ts'
import { firstUnsettledSlot, type LiveBreak, type LiveEntry, type LiveLog } from '../timeline/live-log.ts'
import { type SlotRange, type StoredLog, settledRanges } from './slot-log.ts'

/** The folder of the segments of a slot. */
export type FolderOf = (folder: string, key: string, slot: number, slotMs: number) => string

/**
 * Merges the logs of the inputs of a source: for each slot, the first input's media if it was in time,
 * otherwise the second's. Every node that has read the same messages gets the same result. Everything written
 * up to `receivedMs`, in the broker's time, has been received.
 */
export function mergeLogs(
  inputs: readonly (StoredLog | undefined)[],
  { folderOf, receivedMs, breaks }: MergeOptions,
): LiveLog | undefined {
  const logs = inputs.map(
    (stored) => stored && { ...stored.log, ranges: settledRanges(stored.log, stored.storedMs) },
  )
  const known = logs.filter((log) => log !== undefined)
  const [first] = known
  if (first === undefined) return undefined
  return {
    knownFrom: Math.max(...known.map(({ knownFrom }) => knownFrom)),
    knownUntil: firstUnsettledSlot(receivedMs, first.slotMs),
    breaks,
    entryAt(slot): LiveEntry | undefined {
      for (const [input, log] of logs.entries()) {
        const range = log && findRange(log.ranges, slot)
        if (range === undefined) continue
        // Timestamps of two inputs never continue each other.
        const epoch = range.epoch * inputs.length + input
        return { slot, epoch, path: folderOf(log!.folder, range.key, slot, log!.slotMs) }
      }
      return undefined
    },
  }
}

export interface MergeOptions {
  readonly folderOf: FolderOf
  readonly receivedMs: number
  readonly breaks: readonly LiveBreak[]
}

function findRange(ranges: readonly SlotRange[], slot: number): SlotRange | undefined {
  if (ranges.length === 0) return undefined
  const range = ranges[lastIndexBy(ranges, ({ firstSlot }) => firstSlot, slot)]
  return range !== undefined && range.firstSlot <= slot && slot < range.endSlot ? range : undefined
}
