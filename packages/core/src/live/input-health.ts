import { integratedLoudness, type SegmentSignal } from '../media/signal-meter.ts'

/** The result of one slot of an input. */
export interface SlotHealth {
  readonly slot: number
  /** Null for fill: no media was received in time. */
  readonly media: MediaHealth | null
}

export interface MediaHealth extends SegmentSignal {
  /** Of the media that the source sent for this slot. */
  readonly bitrateKbps: number
  /** How long before the deadline of the slot its media was ready. */
  readonly delayMs: number
}

/** The last minutes of one input. Stored as one message, which is replaced every few slots. */
export interface InputHealth {
  readonly slotMs: number
  /** The lowest rendition that its receiver makes; not sent by receivers of an earlier version. */
  readonly rung?: string | undefined
  /** In order; slots in which no receiver had the input are missing. */
  readonly slots: readonly SlotHealth[]
}

export const HEALTH_KEPT_MS = 600_000
/** Less often than every slot, to limit the messages of a thousand sources: 4 slots of 3.2 s, or 2 of 6.4 s. */
export const HEALTH_EVERY_MS = 12_800

/** The slots that are kept while `newest` is the newest. */
export function keptHealth(
  slots: readonly SlotHealth[],
  newest: number,
  slotMs: number,
): readonly SlotHealth[] {
  const keptFrom = newest - Math.floor(HEALTH_KEPT_MS / slotMs) + 1
  return slots.filter(({ slot }) => slot >= keptFrom)
}

/** Totals of the slots of an input. */
export interface HealthTotals {
  readonly slots: number
  readonly fill: number
  readonly black: number
  readonly frozen: number
  readonly silent: number
  /** Mean of slots with media; null if there are none. */
  readonly bitrateKbps: number | null
  /** Integrated; null if there was no sound. */
  readonly loudnessLufs: number | null
  /** The smallest. */
  readonly delayMs: number | null
}

export function healthTotals(slots: readonly SlotHealth[]): HealthTotals {
  const media = slots.flatMap((slot) => (slot.media === null ? [] : [slot.media]))
  const bitrateKbps = media.reduce((sum, slot) => sum + slot.bitrateKbps, 0) / media.length
  return {
    slots: slots.length,
    fill: slots.length - media.length,
    black: media.filter(({ isBlack }) => isBlack).length,
    frozen: media.filter(({ isFrozen }) => isFrozen).length,
    silent: media.filter(({ isSilent }) => isSilent).length,
    bitrateKbps: media.length === 0 ? null : Math.round(bitrateKbps),
    loudnessLufs: integratedLoudness(media.flatMap(({ loudnessLufs }) => loudnessLufs ?? [])),
    delayMs: media.length === 0 ? null : Math.min(...media.map(({ delayMs }) => delayMs)),
  }
}

/** Index after the first slot, and for media the kbit/s, tenths of LUFS, ms and flags. */
type PrintedSlot = readonly [number] | readonly [number, number, number | null, number, number]

interface PrintedHealth {
  readonly slotMs: number
  readonly rung?: string | undefined
  readonly first: number
  readonly slots: readonly PrintedSlot[]
}

const [BLACK, FROZEN, SILENT] = [1, 2, 4]

/** About 20 bytes per slot. */
export function printHealth({ slotMs, rung, slots }: InputHealth): string {
  const first = slots[0]?.slot ?? 0
  const printed: PrintedHealth = { slotMs, rung, first, slots: slots.map((slot) => printSlot(slot, first)) }
  return JSON.stringify(printed)
}

function printSlot({ slot, media }: SlotHealth, first: number): PrintedSlot {
  if (media === null) return [slot - first]
  const { bitrateKbps, loudnessLufs, delayMs, isBlack, isFrozen, isSilent } = media
  const tenths = loudnessLufs === null ? null : Math.round(10 * loudnessLufs)
  const flags = (isBlack ? BLACK : 0) | (isFrozen ? FROZEN : 0) | (isSilent ? SILENT : 0)
  return [slot - first, bitrateKbps, tenths, Math.round(delayMs), flags]
}

/** Reads what was printed; undefined for anything else. */
export function readHealth(text: string): InputHealth | undefined {
  try {
    const { slotMs, rung, first, slots } = JSON.parse(text) as PrintedHealth
    return {
      slotMs,
      ...(rung === undefined ? {} : { rung }),
      slots: slots.map((slot) => readSlot(slot, first)),
    }
  } catch {
    return undefined
  }
}

function readSlot([index, bitrateKbps, tenths, delayMs, flags]: PrintedSlot, first: number): SlotHealth {
  const slot = first + index
  if (bitrateKbps === undefined || delayMs === undefined || flags === undefined) return { slot, media: null }
  const loudnessLufs = tenths === null || tenths === undefined ? null : tenths / 10
  const [isBlack, isFrozen, isSilent] = [BLACK, FROZEN, SILENT].map((flag) => (flags & flag) !== 0)
  return {
    slot,
    media: {
      bitrateKbps,
      loudnessLufs,
      delayMs,
      isBlack: isBlack!,
      isFrozen: isFrozen!,
      isSilent: isSilent!,
    },
  }
}
