import { setTimeout } from 'node:timers/promises'
import { isInTime, SETTLE_MS, slotStartMs } from '@continuity/core/timeline/live-log'

export interface SlotClock {
  /** The next slot to begin. */
  next(): number
  untilStart(slot: number): Promise<void>
  /** An entry sent by then is stored in time. */
  deadlineMs(slot: number): number
  isOpen(slot: number): boolean
  /** Whether an entry stored now is in time. */
  isInTime(slot: number): boolean
}

/** Time reserved for sending an entry to the broker. */
const SENDING_MS = 300

/** Slots by the broker's clock, which decides whether an entry was in time. */
export function createSlotClock(slotMs: number, brokerMs: () => number, signal: AbortSignal): SlotClock {
  const deadlineMs = (slot: number) => slotStartMs(slot + 1, slotMs) + SETTLE_MS - SENDING_MS
  return {
    next: () => Math.ceil(brokerMs() / slotMs),
    async untilStart(slot) {
      for (;;) {
        const leftMs = slotStartMs(slot, slotMs) - brokerMs()
        if (leftMs <= 0) return
        await setTimeout(Math.min(leftMs, 1_000), undefined, { signal })
      }
    },
    deadlineMs,
    isOpen: (slot) => brokerMs() < deadlineMs(slot),
    isInTime: (slot) => isInTime(slot, slotMs, brokerMs()),
  }
}
