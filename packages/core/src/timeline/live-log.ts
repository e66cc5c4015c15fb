import type { Media } from '../media/media.ts'
import { msOf } from '../time/ticks.ts'
import { CUT_MARGIN_MS } from './cut-margin.ts'
import { lastIndexBy } from './find.ts'

/**
 * What arrived on time from a live source in one of its slots. A slot without an entry stays fill permanently.
 */
export interface LiveEntry {
  readonly slot: number
  /** Counts the breaks of the source's timestamps. */
  readonly epoch: number
  /** The folder of its segments in the media store; they are named by their slot. */
  readonly path: string
}

/** An ad break inside a live source. */
export interface LiveBreak {
  readonly firstSlot: number
  /** As announced. */
  readonly plannedSlots: number
  /** The first slot after it: earlier than planned if it was cut short. */
  readonly endSlot: number
  /** Shown instead of the source; null shows the source. */
  readonly slate: Media | null
}

/** What is known of a live source. It grows at its end; settled slots never change. */
export interface LiveLog {
  /** The first known slot: earlier ones were purged, and are missing here although they were shown. */
  readonly knownFrom: number
  /** The first slot that is not final: its entry, or a break that contains it, may still arrive. */
  readonly knownUntil: number
  entryAt(slot: number): LiveEntry | undefined
  /** In order, not overlapping. */
  readonly breaks: readonly LiveBreak[]
}

export type FindLog = (sourceId: string) => LiveLog | undefined

/** How long after the end of a slot its entry may arrive: time to write its segments to the media store. */
export const SETTLE_MS = 1_000

/**
 * Smallest delay of a channel relative to a live source: when a slot is listed, it has been settled for one cut
 * margin, so that its entry has reached every node.
 */
export const LIVE_LAG_MS = SETTLE_MS + CUT_MARGIN_MS

/** Slot k covers the time from k to k + 1 slot lengths after 1970. */
export const slotStartMs = (slot: number, slotMs: number): number => slot * slotMs

/** Whether an entry counts, by the timestamp of the broker: not before its slot, and not too long after. */
export const isInTime = (slot: number, slotMs: number, brokerMs: number): boolean =>
  slotStartMs(slot, slotMs) <= brokerMs && brokerMs <= slotStartMs(slot + 1, slotMs) + SETTLE_MS

/** The first slot that a channel shows when it cuts to a source at that time. */
export const slotShownAt = (startTicks: number, slotMs: number): number =>
  Math.floor((msOf(startTicks) - LIVE_LAG_MS) / slotMs)

/** The first slot that a change made now can still affect, in every channel that shows the source. */
export const firstFreeSlot = (nowMs: number, slotMs: number): number =>
  Math.ceil((nowMs - SETTLE_MS) / slotMs)

/** The first slot that may still change, given all entries received up to a time. */
export const firstUnsettledSlot = (receivedMs: number, slotMs: number): number =>
  Math.floor((receivedMs - SETTLE_MS) / slotMs)

/** Whether the content of all these slots is known and final; `endSlot` is exclusive. */
export const knowsSlots = ({ knownFrom, knownUntil }: LiveLog, firstSlot: number, endSlot: number): boolean =>
  knownFrom <= firstSlot && endSlot <= knownUntil

/** The first slot of a break for a channel that may have joined the source during it. */
export const firstShownSlot = (
  { firstSlot }: LiveBreak,
  { joinedSlot }: { readonly joinedSlot: number },
): number => Math.max(firstSlot, joinedSlot)

/** The break that contains a slot. */
export function findBreak({ breaks }: LiveLog, slot: number): LiveBreak | undefined {
  if (breaks.length === 0) return undefined
  const at = breaks[lastIndexBy(breaks, firstSlotOf, slot)]
  return at !== undefined && slot < at.endSlot ? at : undefined
}

const firstSlotOf = ({ firstSlot }: LiveBreak): number => firstSlot
