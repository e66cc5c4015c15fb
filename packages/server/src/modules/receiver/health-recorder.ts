import {
  HEALTH_EVERY_MS,
  keptHealth,
  printHealth,
  readHealth,
  type SlotHealth,
} from '@continuity/core/live/input-health'
import {
  followTroubles,
  lastingTroubles,
  NO_TROUBLES,
  type SignalTrouble,
} from '@continuity/core/live/signal-trouble'
import type { Ladder } from '@continuity/core/media/ladder'
import type { Bus } from '../../platform/bus/bus.ts'
import { healthSubject, LIVE_STREAM, type LiveInput } from '../../platform/live-bus/live-streams.ts'
import { readLast } from '../../platform/live-bus/publish-after.ts'

/** Publishes the health of the last minutes of one input. */
export interface HealthRecorder {
  add(slot: SlotHealth): void
  /** Signal problems that have lasted over a minute. */
  troubles(): readonly SignalTrouble[]
  /** Empties the message, when the input is no longer received. */
  clear(): void
}

export interface HealthOptions extends LiveInput {
  readonly bus: Bus
  readonly brokerMs: () => number
  readonly slotMs: number
  readonly ladder: Ladder
}

/**
 * Continues the message of another receiver, so that a takeover keeps the history. Nothing here waits for the bus: a lost
 * message is replaced by the next, which contains everything.
 */
export function createHealthRecorder({
  bus,
  brokerMs,
  slotMs,
  ladder,
  ...input
}: HealthOptions): HealthRecorder {
  const subject = healthSubject(input)
  let slots: readonly SlotHealth[] = []
  let runs = NO_TROUBLES // after all slots
  let added = 0 // since the last message
  const send = () => {
    added = 0
    bus.publish(subject, printHealth({ slotMs, rung: ladder[0]?.name, slots }))
  }
  const continueLast = async () => {
    const message = await readLast(bus, LIVE_STREAM, subject)
    const last = message === null ? undefined : readHealth(message.string())
    if (last?.slotMs !== slotMs) return
    const knownFrom = slots[0]?.slot ?? Math.floor(brokerMs() / slotMs)
    const before = last.slots.filter(({ slot }) => slot < knownFrom)
    slots = keptHealth([...before, ...slots], knownFrom, slotMs)
    runs = slots.reduce((known, slot) => followTroubles(known, slot, slotMs), NO_TROUBLES)
  }
  continueLast().catch(() => {})
  return {
    add(slot) {
      slots = keptHealth([...slots, slot], slot.slot, slotMs)
      runs = followTroubles(runs, slot, slotMs)
      added += 1
      if (added * slotMs >= HEALTH_EVERY_MS) send()
    },
    troubles: () => lastingTroubles(runs),
    clear() {
      slots = []
      send()
    },
  }
}
