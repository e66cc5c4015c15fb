import {
  continuationOf,
  followLog,
  nextLog,
  type SlotEntry,
  type SlotLog,
  type StoredLog,
} from '@continuity/core/live/slot-log'
import type { Bus } from '../../platform/bus/bus.ts'
import {
  LIVE_LOG_STREAM,
  type LiveInput,
  LOG_KEPT_MS,
  logSubject,
} from '../../platform/live-bus/live-streams.ts'
import { publishAfter, readLast } from '../../platform/live-bus/publish-after.ts'
import { newSlotKey, slotFolder } from '../../platform/live-bus/slot-folder.ts'
import type { HeldLease } from './lease-keeper.ts'

/** Writes the log of one input while its lease is valid. */
export interface LogWriter {
  /** The first epoch of this writer: its slots do not continue those of the previous writer. */
  readonly firstEpoch: number
  /** The first slot that may be written: another writer may have decided on earlier ones. */
  readonly firstSlot: number
  /** The folder of the segments of a slot. */
  folderOf(position: SlotPosition): string
  /** False if another process has written or the lease may have expired: this writer must stop. */
  write(position: SlotPosition): Promise<boolean>
}

export type SlotPosition = Pick<SlotEntry, 'slot' | 'epoch'>

export interface LogOptions extends LiveInput {
  readonly bus: Bus
  readonly lease: HeldLease
  /** The folder of the source in the media store. */
  readonly folder: string
  readonly slotMs: number
  readonly brokerMs: () => number
  readonly memory: LogMemory
}

/** What a process has written for an input: restores the log when the broker has lost its store. */
export interface LogMemory {
  log?: StoredLog
}

interface PublishedLog extends StoredLog {
  readonly sequence: number
}

/** Maximum error of the estimate of the broker's clock. */
const CLOCK_ERROR_MS = 250

export async function openLogWriter(options: LogOptions): Promise<LogWriter> {
  const { bus, lease, folder, slotMs, memory } = options
  const subject = logSubject(options)
  const found = await readLog(bus, subject)
  let sequence = found?.sequence ?? 0
  let isRead = true // `memory` has the broker's time of the last write
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
      if (slot <= lastSlot) throw new Error(`slot ${slot} is already written`)
      // A process that was paused past its lease stops here.
      if (hasEnded || !lease.isValid()) return false
      if (!isRead) {
        // The broker's time of the previous message decides whether its slot was in time.
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
      // An upper bound, used only if the message is lost before its time is read.
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
