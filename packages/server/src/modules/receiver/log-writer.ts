import type { Bus } from '../../platform/bus.ts'
import { LIVE_LOG_STREAM, type LiveInput, logSubject } from '../../platform/live-bus/live-streams.ts'
import { publishAfter, readLast } from '../../platform/live-bus/publish-after.ts'
import type { HeldLease } from './lease-keeper.ts'

/** An entry of the log of an input. A slot without one is fill. */
export interface LogEntry {
  readonly slot: number
  readonly epoch: number
  /** The folder of its segments in the media store. */
  readonly path: string
  /** Of the writer's lease. */
  readonly token: number
}

/** Writes the log of one input, for as long as its lease is valid. */
export interface LogWriter {
  /** The epoch that a new writer begins with: whatever it writes does not continue what was there. */
  readonly firstEpoch: number
  /** Nothing is written before this slot: another writer may have decided on those before. */
  readonly firstSlot: number
  /** False when somebody else has written, or the lease is in doubt: this writer is at its end. */
  write(entry: Omit<LogEntry, 'token'>): Promise<boolean>
}

export async function openLogWriter(bus: Bus, input: LiveInput, lease: HeldLease): Promise<LogWriter> {
  const last = await readLast(bus, LIVE_LOG_STREAM, logSubject(input))
  const before = last?.json<LogEntry>()
  let sequence = last?.seq ?? 0
  let lastSlot = before?.slot ?? Number.NEGATIVE_INFINITY
  let hasEnded = before !== undefined && before.token > lease.token
  return {
    firstEpoch: (before?.epoch ?? 0) + 1,
    firstSlot: before === undefined ? 0 : before.slot + 1,
    async write(entry) {
      if (entry.slot <= lastSlot) throw new Error(`slot ${entry.slot} is written already`)
      // A process that was paused learns here that its time has passed.
      if (hasEnded || !lease.isValid()) return false
      const text = JSON.stringify({ ...entry, token: lease.token } satisfies LogEntry)
      const written = await publishAfter(bus, logSubject(input), text, sequence)
      if (written === undefined) {
        hasEnded = true
        return false
      }
      sequence = written
      lastSlot = entry.slot
      return true
    },
  }
}
