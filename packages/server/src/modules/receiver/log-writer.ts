import { JetStreamApiError, jetstream } from '@nats-io/jetstream'
import type { Bus } from '../../platform/bus.ts'
import {
  ANSWER_MS,
  LIVE_LOG_STREAM,
  type LiveInput,
  logSubject,
  manageLive,
} from '../../platform/live-bus/live-streams.ts'
import { connectionOf, type HeldLease, WRONG_LAST_SEQUENCE } from './lease-keeper.ts'

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
  const { streams } = await manageLive(connectionOf(bus))
  const last = await streams.getMessage(LIVE_LOG_STREAM, { last_by_subj: logSubject(input) })
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
      try {
        const text = JSON.stringify({ ...entry, token: lease.token } satisfies LogEntry)
        const { seq } = await jetstream(connectionOf(bus)).publish(logSubject(input), text, {
          expect: { lastSubjectSequence: sequence },
          timeout: ANSWER_MS,
        })
        sequence = seq
        lastSlot = entry.slot
        return true
      } catch (error) {
        if (!(error instanceof JetStreamApiError) || error.code !== WRONG_LAST_SEQUENCE) throw error
        hasEnded = true
        return false
      }
    },
  }
}
