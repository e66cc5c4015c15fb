import {
  continuationOf,
  followLog,
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
  readonly brokerMs: () => number
  readonly memory: LogMemory
}

/** What a process has written of an input: the log is whole again with it when the broker has lost its store. */
export interface LogMemory {
  log?: StoredLog
}

interface PublishedLog extends StoredLog {
  readonly sequence: number
}

/** The broker's clock is known to within this. */
const CLOCK_ERROR_MS = 250

export async function openLogWriter(options: LogOptions): Promise<LogWriter> {
  const { bus, lease, folder, slotMs, memory } = options
  const subject = logSubject(options)
  const found = await readLog(bus, subject)
  let sequence = found?.sequence ?? 0
  let isRead = true // `memory` has the broker's time of what was written last
  let hasEnded = found !== undefined && found.log.token > lease.token
  const keptFrom = Math.floor((options.brokerMs() - LOG_KEPT_MS) / slotMs)
  const before = found === undefined ? memory.log : followLog(memory.log, found, keptFrom)
  if (before === undefined) delete memory.log
  else memory.log = before
  const first = continuationOf(before?.log)
  let lastSlot = first.slot - 1
  let key = { epoch: 0, text: '' } // of the epoch that is written
  const keyOf = (epoch: number) => {
    if (key.epoch !== epoch) key = { epoch, text: newSlotKey() }
    return key.text
  }
  return {
    firstEpoch: first.epoch,
    firstSlot: first.slot,
    folderOf: ({ slot, epoch }) => slotFolder(folder, keyOf(epoch), slot, slotMs),
    async write({ slot, epoch }) {
      if (slot <= lastSlot) throw new Error(`slot ${slot} is written already`)
      // A process that was paused learns here that its time has passed.
      if (hasEnded || !lease.isValid()) return false
      if (!isRead) {
        // Whether the slot before was in time is known by the broker's time of its message.
        const stored = await readLog(bus, subject)
        if (stored?.sequence !== sequence) {
          hasEnded = true
          return false
        }
        memory.log = stored
        isRead = true
      }
      const keptFrom = slot - Math.floor(LOG_KEPT_MS / slotMs)
      const entry = { slot, epoch, key: keyOf(epoch) }
      const log = nextLog(memory.log, entry, { token: lease.token, folder, slotMs, keptFrom })
      const published = await publishAfter(bus, subject, JSON.stringify(log), sequence)
      if (published === undefined) {
        hasEnded = true
        return false
      }
      sequence = published
      // Not earlier than it was stored. It counts only if the message is lost before its time is read.
      memory.log = { log, storedMs: options.brokerMs() + CLOCK_ERROR_MS }
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
