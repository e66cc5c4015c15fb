import {
  firstFreeSlot,
  firstUnsettledSlot,
  isInTime,
  type LiveBreak,
  type LiveEntry,
  type LiveLog,
} from '@continuity/core/timeline/live-log'
import type { Media } from '@continuity/core/timeline/media'
import type { Draw } from '../draw.ts'

export const SLOT_MS = 3_200

/** A live source with a receiver that stalls, is started again, and is late now and then. */
export interface LiveSource {
  readonly id: string
  /** False where another break is in the way. */
  insertBreak(nowMs: number, seconds: number, slate: Media | null): boolean
  /** False where there is no break that could end now. */
  endBreak(nowMs: number): boolean
  /** What a node knows of it that learns everything so much later. */
  viewFrom(clock: { readonly nowMs: number }, delayMs: number): LiveLog
}

interface KnownBreak extends LiveBreak {
  readonly knownMs: number
  readonly endKnownMs: number
}

interface Written {
  readonly entry: LiveEntry
  readonly brokerMs: number
}

export function createLiveSource(draw: Draw, id: string, fromMs: number, toMs: number): LiveSource {
  const written = writeSlots(draw, id, fromMs, toMs)
  const breaks: KnownBreak[] = []
  let version = 0
  return {
    id,
    insertBreak(nowMs, seconds, slate) {
      const firstSlot = firstFreeSlot(nowMs, SLOT_MS)
      if (firstSlot < (breaks.at(-1)?.endSlot ?? 0)) return false
      const plannedSlots = Math.ceil((seconds * 1_000) / SLOT_MS)
      const endSlot = firstSlot + plannedSlots
      version += 1
      breaks.push({
        firstSlot,
        plannedSlots,
        endSlot,
        slate,
        knownMs: nowMs,
        endKnownMs: Number.MAX_SAFE_INTEGER,
      })
      return true
    },
    endBreak(nowMs) {
      const endSlot = firstFreeSlot(nowMs, SLOT_MS)
      const last = breaks.at(-1)
      if (last === undefined || endSlot >= last.endSlot || endSlot <= last.firstSlot) return false
      version += 1
      breaks[breaks.length - 1] = { ...last, endSlot, endKnownMs: nowMs }
      return true
    },
    viewFrom: (clock, delayMs) => {
      let seen: readonly LiveBreak[] = []
      let seenMs = 0
      let seenVersion = -1
      return {
        knownFrom: 0,
        get knownUntil() {
          return firstUnsettledSlot(clock.nowMs - delayMs, SLOT_MS)
        },
        entryAt(slot) {
          const it = written.get(slot)
          return it !== undefined && it.brokerMs + delayMs <= clock.nowMs ? it.entry : undefined
        },
        get breaks() {
          if (clock.nowMs === seenMs && version === seenVersion) return seen
          seenMs = clock.nowMs
          seenVersion = version
          seen = breaksAt(breaks, clock.nowMs - delayMs)
          return seen
        },
      }
    },
  }
}

/** As they were known at a time: one that was cut short later has its full length then. */
const breaksAt = (breaks: readonly KnownBreak[], ms: number): readonly LiveBreak[] =>
  breaks
    .filter(({ knownMs }) => knownMs <= ms)
    .map((it) => (it.endKnownMs <= ms ? it : { ...it, endSlot: it.firstSlot + it.plannedSlots }))

/** The entries that were in time; the others are as if they had never come. */
function writeSlots(draw: Draw, id: string, fromMs: number, toMs: number): Map<number, Written> {
  const written = new Map<number, Written>()
  let epoch = 1
  let stall = 0
  for (let slot = Math.floor(fromMs / SLOT_MS); slot * SLOT_MS < toMs; slot += 1) {
    if (stall === 0 && draw.chance(0.03)) {
      stall = draw.one([1, 2, 10, 60])
      if (draw.chance(0.8)) epoch += 1
    }
    if (stall > 0) stall -= 1
    else {
      const brokerMs = (slot + 1) * SLOT_MS + draw.below(1_100)
      if (isInTime(slot, SLOT_MS, brokerMs))
        written.set(slot, { brokerMs, entry: { slot, epoch, path: `live/${id}` } })
    }
  }
  return written
}
