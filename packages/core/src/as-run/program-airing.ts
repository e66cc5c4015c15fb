import type { Program } from '../timeline/span.ts'
import type { AsRunEntry } from './as-run.ts'

/** A program from its start on the air to its end; after an override, it is another airing. */
export interface ProgramAiring {
  /** Null outside of programs: then there is one entry. */
  readonly program: Program | null
  readonly startTicks: number
  readonly endTicks: number
  readonly entries: readonly AsRunEntry[]
}

/** Whether an entry continues the airing of the previous one. */
export const continuesAiring = (last: AsRunEntry, next: AsRunEntry): boolean =>
  last.program !== null && last.program.id === next.program?.id && last.endTicks === next.startTicks

/** The airing of entries that continue each other. */
export const airingOf = (entries: readonly AsRunEntry[]): ProgramAiring => ({
  program: entries[0]!.program,
  startTicks: entries[0]!.startTicks,
  endTicks: entries.at(-1)!.endTicks,
  entries,
})

/** The longest video of an airing, the first of equals; null if there is none. */
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
