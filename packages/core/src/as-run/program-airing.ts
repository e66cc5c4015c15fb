import type { Program } from '../timeline/span.ts'
import type { AsRunEntry } from './as-run.ts'

/** A program from where it came on the air to where it was left; it comes again after an override. */
export interface ProgramAiring {
  /** Null in time that no program covers: then there is one entry. */
  readonly program: Program | null
  readonly startTicks: number
  readonly endTicks: number
  readonly entries: readonly AsRunEntry[]
}

/** Whether an entry carries the airing on that the one before it is in. */
export const goesOn = (last: AsRunEntry, next: AsRunEntry): boolean =>
  last.program !== null && last.program.id === next.program?.id && last.endTicks === next.startTicks

/** Of entries that carry each other on. */
export const airingOf = (entries: readonly AsRunEntry[]): ProgramAiring => ({
  program: entries[0]!.program,
  startTicks: entries[0]!.startTicks,
  endTicks: entries.at(-1)!.endTicks,
  entries,
})

/** The video that most of it was, in the order of play where two are as long; null where there is none. */
export function longestVideo({ entries }: Pick<ProgramAiring, 'entries'>): string | null {
  const ticks = new Map<string, number>()
  for (const { type, referenceId, startTicks, endTicks } of entries) {
    if (type !== 'VIDEO' || referenceId === null) continue
    ticks.set(referenceId, (ticks.get(referenceId) ?? 0) + endTicks - startTicks)
  }
  let longest: string | null = null
  for (const [referenceId, length] of ticks) {
    if (longest === null || length > ticks.get(longest)!) longest = referenceId
  }
  return longest
}
