import { firstFreeSlot, type LiveBreak } from '../timeline/live-log.ts'
import type { Media } from '../timeline/media.ts'
import type { SourceCue } from './source-cues.ts'

/** An ad break of a source, as all nodes read it. */
export interface BreakEntry extends LiveBreak {
  /** Of the request that inserted it, or of the cue in the source's playlist: the same one twice is one break. */
  readonly key: string
  readonly origin: 'API' | 'MANIFEST'
}

/** The breaks of a source in the last two days, as the one message that they are on the bus. */
export interface BreakLog {
  /** Counts the changes. */
  readonly version: number
  readonly slotMs: number
  /** In order, and never two at once. */
  readonly breaks: readonly BreakEntry[]
}

export interface BreakDraft {
  readonly key: string
  readonly origin: BreakEntry['origin']
  readonly durationMs: number
  readonly slate: Media | null
  /** Where it should begin; without, at once. */
  readonly slot?: number
}

export type BreakChange =
  | { readonly kind: 'changed'; readonly log: BreakLog; readonly entry: BreakEntry }
  /** It was made by the same request or cue before. */
  | { readonly kind: 'repeated'; readonly entry: BreakEntry }
  | { readonly kind: 'refused'; readonly reason: 'break_open' | 'no_break' }

/** Breaks that are kept: two days of one every six minutes, and less than a message may have. */
const BREAKS_MOST = 500

export const emptyBreakLog = (slotMs: number): BreakLog => ({ version: 0, slotMs, breaks: [] })

/** A break begins at the first slot that no channel has listed yet, or at the wanted one behind that. */
export function insertBreak(log: BreakLog, draft: BreakDraft, nowMs: number): BreakChange {
  const known = log.breaks.findLast(({ key }) => key === draft.key)
  if (known !== undefined) return { kind: 'repeated', entry: known }
  const firstSlot = Math.max(firstFreeSlot(nowMs, log.slotMs), draft.slot ?? 0)
  if (firstSlot < (log.breaks.at(-1)?.endSlot ?? 0)) return { kind: 'refused', reason: 'break_open' }
  const plannedSlots = Math.max(1, Math.ceil(draft.durationMs / log.slotMs))
  const { key, origin, slate } = draft
  const entry = { key, origin, slate, firstSlot, plannedSlots, endSlot: firstSlot + plannedSlots }
  return changed(log, [...log.breaks, entry], entry)
}

/** The open break ends at the first slot that no channel has listed yet, or at the wanted one behind that. */
export function endBreak(log: BreakLog, nowMs: number, slot = 0): BreakChange {
  const last = log.breaks.at(-1)
  const freeSlot = Math.max(firstFreeSlot(nowMs, log.slotMs), slot)
  if (last === undefined || freeSlot >= last.endSlot) return { kind: 'refused', reason: 'no_break' }
  // One that has not begun lasts one slot: it may have been announced.
  const entry = { ...last, endSlot: Math.max(freeSlot, last.firstSlot + 1) }
  if (entry.endSlot >= last.endSlot) return { kind: 'repeated', entry: last }
  return changed(log, [...log.breaks.slice(0, -1), entry], entry)
}

/** Of a cue that does not say how long its break is. */
const UNSTATED_MS = 120_000

/** As the source announces it. Its end closes no break that somebody has inserted. */
export function changeByCue(
  log: BreakLog,
  cue: SourceCue,
  { slot, slate }: { readonly slot: number; readonly slate: Media | null },
  nowMs: number,
): BreakChange {
  if (cue.kind === 'out') {
    const durationMs = cue.durationMs ?? UNSTATED_MS
    // Both inputs of a source bring the same cue, mostly in the same slot.
    return insertBreak(log, { key: `slot ${slot}`, origin: 'MANIFEST', durationMs, slate, slot }, nowMs)
  }
  if (log.breaks.at(-1)?.origin !== 'MANIFEST') return { kind: 'refused', reason: 'no_break' }
  return endBreak(log, nowMs, slot)
}

/** The break that has begun or will, and has not ended for any channel. */
export function openBreakOf({ breaks, slotMs }: BreakLog, nowMs: number): BreakEntry | undefined {
  const last = breaks.at(-1)
  return last !== undefined && firstFreeSlot(nowMs, slotMs) < last.endSlot ? last : undefined
}

/** How long it lasts, which is whole slots. */
export const breakMs = ({ firstSlot, endSlot }: LiveBreak, slotMs: number): number =>
  (endSlot - firstSlot) * slotMs

function changed(
  { version, slotMs }: BreakLog,
  breaks: readonly BreakEntry[],
  entry: BreakEntry,
): BreakChange {
  return { kind: 'changed', log: { version: version + 1, slotMs, breaks: breaks.slice(-BREAKS_MOST) }, entry }
}
