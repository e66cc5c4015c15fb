import {
  type BreakChange,
  type BreakLog,
  changeByCue,
  emptyBreakLog,
  endBreak,
  insertBreak,
} from '@continuity/core/live/break-log'
import type { SourceCue } from '@continuity/core/live/source-cues'
import type { Media } from '@continuity/core/media/media'
import {
  firstUnsettledSlot,
  isInTime,
  type LiveEntry,
  type LiveLog,
} from '@continuity/core/timeline/live-log'
import type { Draw } from '@continuity/dev/draw'

export const SLOT_MS = 3_200

/** A live source with a receiver that stalls, restarts, and is sometimes late. */
export interface LiveSource {
  readonly id: string
  /** Returns false if another break is in the way. */
  insertBreak(nowMs: number, seconds: number, slate: Media | null): boolean
  /** Returns false if no break can end now. */
  endBreak(nowMs: number): boolean
  /** A cue of its playlist, as a receiver writes it at the start of its slot. Returns false if it changes nothing. */
  cue(nowMs: number, cue: SourceCue, slate: Media | null): boolean
  /** The log as a node sees it that receives everything with this delay. */
  viewFrom(clock: { readonly nowMs: number }, delayMs: number): LiveLog
}

/** The breaks from a time on. */
interface BreakVersion {
  readonly knownMs: number
  readonly log: BreakLog
}

interface Written {
  readonly entry: LiveEntry
  readonly brokerMs: number
}

export function createLiveSource(draw: Draw, id: string, fromMs: number, toMs: number): LiveSource {
  const written = writeSlots(draw, id, fromMs, toMs)
  const versions: BreakVersion[] = [{ knownMs: 0, log: emptyBreakLog(SLOT_MS) }]
  const apply = (nowMs: number, change: BreakChange): boolean => {
    if (change.kind !== 'changed') return false
    versions.push({ knownMs: nowMs, log: change.log })
    return true
  }
  return {
    id,
    insertBreak: (nowMs, seconds, slate) => {
      const draft = { key: `${versions.length}`, origin: 'API', durationMs: seconds * 1_000, slate } as const
      return apply(nowMs, insertBreak(versions.at(-1)!.log, draft, nowMs))
    },
    endBreak: (nowMs) => apply(nowMs, endBreak(versions.at(-1)!.log, nowMs)),
    cue: (nowMs, cue, slate) => {
      const slot = Math.floor(nowMs / SLOT_MS)
      return apply(nowMs, changeByCue(versions.at(-1)!.log, cue, { slot, slate }, nowMs))
    },
    viewFrom: (clock, delayMs) => {
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
          return versions.findLast(({ knownMs }) => knownMs <= clock.nowMs - delayMs)?.log.breaks ?? []
        },
      }
    },
  }
}

/** The entries that were in time; late ones are ignored. */
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
