import {
  continuationOf,
  nextLog,
  type SlotEntry,
  type SlotLog,
  type StoredLog,
} from '@continuity/core/live/slot-log'
import type { Bus } from '../../platform/bus.ts'
import {
  LIVE_LOG_STREAM,
  type LiveInput,
  LOG_KEPT_MS,
  logSubject,
} from '../../platform/live-bus/live-streams.ts'
import { publishAfter, readLast } from '../../platform/live-bus/publish-after.ts'
import { newSlotKey, slotFolder } from '../../platform/live-bus/slot-folder.ts'
import type { HeldLease } from './lease-keeper.ts'

/** Writes the log of one input, for as long as its lease is valid. */
export interface LogWriter {
  /** The epoch that a new writer begins with: whatever it writes does not continue what was there. */
  readonly firstEpoch: number
  /** Nothing is written before this slot: another writer may have decided on those before. */
  readonly firstSlot: number
  /** Where the segments of a slot are to be stored. */
  folderOf(place: SlotPlace): string
  /** False when somebody else has written, or the lease is in doubt: this writer is at its end. */
  write(place: SlotPlace): Promise<boolean>
}

export type SlotPlace = Pick<SlotEntry, 'slot' | 'epoch'>

export interface LogOptions extends LiveInput {
  readonly bus: Bus
  readonly lease: HeldLease
  /** Of the source in the media store. */
  readonly folder: string
  readonly slotMs: number
}

interface PublishedLog extends StoredLog {
  readonly sequence: number
}

export async function openLogWriter(options: LogOptions): Promise<LogWriter> {
  const { bus, lease, folder, slotMs } = options
  const subject = logSubject(options)
  let last = await readLog(bus, subject)
  let isRead = true // `last` has the broker's time of what was written last
  let hasEnded = last !== undefined && last.log.token > lease.token
  const first = continuationOf(last?.log)
  let lastSlot = first.slot - 1
  let key = { epoch: 0, text: '' } // of the epoch that is written
  const keyOf = (epoch: number) => {
    if (key.epoch !== epoch) key = { epoch, text: newSlotKey() }
    return key.text
  }
  return {
    firstEpoch: first.epoch,
    firstSlot: first.slot,
    folderOf: ({ slot, epoch }) => slotFolder(folder, keyOf(epoch), slot),
    async write({ slot, epoch }) {
      if (slot <= lastSlot) throw new Error(`slot ${slot} is written already`)
      // A process that was paused learns here that its time has passed.
      if (hasEnded || !lease.isValid()) return false
      if (!isRead) {
        // Whether the slot before was in time is known by the broker's time of its message.
        const stored = await readLog(bus, subject)
        if (stored?.sequence !== last?.sequence) {
          hasEnded = true
          return false
        }
        last = stored
        isRead = true
      }
      const keptFrom = slot - Math.floor(LOG_KEPT_MS / slotMs)
      const entry = { slot, epoch, key: keyOf(epoch) }
      const log = nextLog(last, entry, { token: lease.token, folder, slotMs, keptFrom })
      const sequence = await publishAfter(bus, subject, JSON.stringify(log), last?.sequence ?? 0)
      if (sequence === undefined) {
        hasEnded = true
        return false
      }
      last = { log, sequence, storedMs: Number.NaN }
      isRead = false
      lastSlot = slot
      return true
    },
  }
}

async function readLog(bus: Bus, subject: string): Promise<PublishedLog | undefined> {
  const message = await readLast(bus, LIVE_LOG_STREAM, subject)
  if (message === null) return undefined
  return { log: message.json<SlotLog>(), storedMs: message.time.getTime(), sequence: message.seq }
}
