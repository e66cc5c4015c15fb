import type { Media } from '../media/media.ts'
import { firstFreeSlot, type LiveBreak } from '../timeline/live-log.ts'
import type { SourceCue } from './source-cues.ts'

/** An ad break of a source, as read by all nodes. */
export interface BreakEntry extends LiveBreak {
  /**
   * Key of the request that inserted it, or of the cue in the source's playlist: a repeated key is the same
   * break.
   */
  readonly key: string
  readonly origin: 'API' | 'MANIFEST'
}

/** The breaks of a source in the last two days, stored on the bus as one message. */
export interface BreakLog {
  /** Counts the changes. */
  readonly version: number
  readonly slotMs: number
  /** In order, not overlapping. */
  readonly breaks: readonly BreakEntry[]
}

export interface BreakDraft {
  readonly key: string
  readonly origin: BreakEntry['origin']
  readonly durationMs: number
  readonly slate: Media | null
  /** Where it should begin; by default, as soon as possible. */
  readonly slot?: number
}

export type BreakChange =
  | { readonly kind: 'changed'; readonly log: BreakLog; readonly entry: BreakEntry }
  /** The same request or cue made it before. */
  | { readonly kind: 'repeated'; readonly entry: BreakEntry }
  | { readonly kind: 'rejected'; readonly reason: 'break_open' | 'no_break' }

/** Breaks that are kept: two days with one every six minutes, and less than the size limit of a message. */
const BREAKS_MOST = 500

export const emptyBreakLog = (slotMs: number): BreakLog => ({ version: 0, slotMs, breaks: [] })

/** A break begins at the first slot that no channel has listed yet, or at a later requested one. */
export function insertBreak(log: BreakLog, draft: BreakDraft, nowMs: number): BreakChange {
  const known = log.breaks.findLast(({ key }) => key === draft.key)
  if (known !== undefined) return { kind: 'repeated', entry: known }
  const firstSlot = Math.max(firstFreeSlot(nowMs, log.slotMs), draft.slot ?? 0)
  if (firstSlot < (log.breaks.at(-1)?.endSlot ?? 0)) return { kind: 'rejected', reason: 'break_open' }
  const plannedSlots = Math.max(1, Math.ceil(draft.durationMs / log.slotMs))
  const { key, origin, slate } = draft
  const entry = { key, origin, slate, firstSlot, plannedSlots, endSlot: firstSlot + plannedSlots }
  return changed(log, [...log.breaks, entry], entry)
}

/** The open break ends at the first slot that no channel has listed yet, or at a later requested one. */
export function endBreak(log: BreakLog, nowMs: number, slot = 0): BreakChange {
  const last = log.breaks.at(-1)
  const freeSlot = Math.max(firstFreeSlot(nowMs, log.slotMs), slot)
  if (last === undefined || freeSlot >= last.endSlot) return { kind: 'rejected', reason: 'no_break' }
  // A break that has not begun lasts one slot, because it may have been announced.
  const entry = { ...last, endSlot: Math.max(freeSlot, last.firstSlot + 1) }
  if (entry.endSlot >= last.endSlot) return { kind: 'repeated', entry: last }
  return changed(log, [...log.breaks.slice(0, -1), entry], entry)
}

/** Duration of a break whose cue has none. */
const UNSTATED_MS = 120_000

/** Applies a cue of the source. Its end does not close a break that was inserted by a request. */
export function changeByCue(
  log: BreakLog,
  cue: SourceCue,
  { slot, slate }: { readonly slot: number; readonly slate: Media | null },
  nowMs: number,
): BreakChange {
  if (cue.kind === 'out') {
    const durationMs = cue.durationMs ?? UNSTATED_MS
    // Both inputs of a source deliver the same cue, usually in the same slot.
    return insertBreak(log, { key: `slot ${slot}`, origin: 'MANIFEST', durationMs, slate, slot }, nowMs)
  }
  if (log.breaks.at(-1)?.origin !== 'MANIFEST') return { kind: 'rejected', reason: 'no_break' }
  return endBreak(log, nowMs, slot)
}

/** The break that has begun or will begin, and has not ended for any channel. */
export function openBreakOf({ breaks, slotMs }: BreakLog, nowMs: number): BreakEntry | undefined {
  const last = breaks.at(-1)
  return last !== undefined && firstFreeSlot(nowMs, slotMs) < last.endSlot ? last : undefined
}

/** Its duration, a multiple of the slot length. */
export const breakMs = ({ firstSlot, endSlot }: LiveBreak, slotMs: number): number =>
  (endSlot - firstSlot) * slotMs

function changed(
  { version, slotMs }: BreakLog,
  breaks: readonly BreakEntry[],
  entry: BreakEntry,
): BreakChange {
  return { kind: 'changed', log: { version: version + 1, slotMs, breaks: breaks.slice(-BREAKS_MOST) }, entry }
}
