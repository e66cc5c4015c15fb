import type { AsRunEntry } from '@continuity/core/as-run/as-run'
import type { ProgramAiring } from '@continuity/core/as-run/program-airing'
import { ticksOf } from '@continuity/core/time/ticks'

/** What a list is sorted by. A program that failed may have been on air before, and is then listed twice. */
export type ProgramKey = readonly [startTicks: number, programId: string, kind: 'AIRING' | 'FAILED']

export type ProgramState = 'AIRED' | 'ON_AIR' | 'COMMITTED' | 'PLANNED' | 'FAILED'

export interface ListedProgram {
  readonly key: ProgramKey
  readonly programId: string
  readonly title: string
  readonly description: string
  readonly startMs: number
  /** Null for an override without an end. */
  readonly endMs: number | null
  readonly state: ProgramState
  readonly entries: readonly AsRunEntry[]
  /** Why it failed. */
  readonly reason?: { readonly code: string; readonly message: string }
}

/** MISSED: its time has begun, and nothing shows it. */
export function airingState(
  { program, startTicks, endTicks, entries }: ProgramAiring,
  nowMs: number,
): ProgramState | 'MISSED' {
  const nowTicks = ticksOf(nowMs)
  // Entries of the schedule have no segments.
  const isCommitted = entries[0]!.segments > 0
  if (!isCommitted) return program !== null && program.startMs < nowMs ? 'MISSED' : 'PLANNED'
  if (endTicks <= nowTicks) return 'AIRED'
  return startTicks <= nowTicks ? 'ON_AIR' : 'COMMITTED'
}
