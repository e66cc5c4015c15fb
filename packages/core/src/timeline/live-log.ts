import { msOf } from '../time/ticks.ts'
import { lastIndexBy } from './find.ts'
import { GUARD_MS } from './guard.ts'
import type { Media } from './media.ts'

/** What arrived from a live source in one of its slots, and in time. A slot without an entry is fill, for ever. */
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
  /** As it was announced. */
  readonly plannedSlots: number
  /** The first slot after it: earlier than planned where it was cut short. */
  readonly endSlot: number
  /** What is shown instead of the source's picture; null: that picture. */
  readonly slate: Media | null
}

/** What is known of a live source. It grows at its end; what is settled never changes. */
export interface LiveLog {
  /** The first slot that is known: what lies before it was swept, and is missing here though it was shown. */
  readonly knownFrom: number
  /** The first slot that is not known for good: its entry, or a break that it is in, may still come. */
  readonly knownUntil: number
  entryAt(slot: number): LiveEntry | undefined
  /** In order, and never two at once. */
  readonly breaks: readonly LiveBreak[]
}

export type FindLog = (sourceId: string) => LiveLog | undefined

/** How long after the end of a slot its entry may come: time to write its segments to the media store. */
export const SETTLE_MS = 1_000

/**
 * How far a channel is behind a live source at least: when a slot is listed, it has been settled for one guard, so
 * that its entry has reached every node.
 */
export const LIVE_LAG_MS = SETTLE_MS + GUARD_MS

/** Slot k is the time from k to k + 1 slots after 1970. */
export const slotStartMs = (slot: number, slotMs: number): number => slot * slotMs

/** Whether an entry counts, by the time that the broker itself put on it: not before its slot, and not too long after. */
export const isInTime = (slot: number, slotMs: number, brokerMs: number): boolean =>
  slotStartMs(slot, slotMs) <= brokerMs && brokerMs <= slotStartMs(slot + 1, slotMs) + SETTLE_MS

/** The slot that a channel shows first when it cuts to a source there. */
export const slotShownAt = (startTicks: number, slotMs: number): number =>
  Math.floor((msOf(startTicks) - LIVE_LAG_MS) / slotMs)

/** The first slot that an order given now can still change, in every channel that shows the source. */
export const firstFreeSlot = (nowMs: number, slotMs: number): number =>
  Math.ceil((nowMs - SETTLE_MS) / slotMs)

/** The first slot that may still change, for somebody who has learnt all that was written by then. */
export const firstUnsettledSlot = (learntMs: number, slotMs: number): number =>
  Math.floor((learntMs - SETTLE_MS) / slotMs)

/** Whether a log tells of all these slots what it will always tell; the last is not among them. */
export const knowsSlots = ({ knownFrom, knownUntil }: LiveLog, firstSlot: number, endSlot: number): boolean =>
  knownFrom <= firstSlot && endSlot <= knownUntil

/** Where a break begins for a channel that may have come to the source in the middle of it. */
export const firstShownSlot = (
  { firstSlot }: LiveBreak,
  { joinedSlot }: { readonly joinedSlot: number },
): number => Math.max(firstSlot, joinedSlot)

/** The break that a slot is in. */
export function findBreak({ breaks }: LiveLog, slot: number): LiveBreak | undefined {
  if (breaks.length === 0) return undefined
  const at = breaks[lastIndexBy(breaks, firstSlotOf, slot)]
  return at !== undefined && slot < at.endSlot ? at : undefined
}

const firstSlotOf = ({ firstSlot }: LiveBreak): number => firstSlot
