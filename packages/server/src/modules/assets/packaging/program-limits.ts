import { availableParallelism } from 'node:os'
import type { Ladder } from '@continuity/core/media/ladder'
import type { ProgramLimits } from '../../../platform/programs/program-options.ts'

/** The largest picture in ten bits with all that a decoder keeps of it takes some 4 GB; address space is more. */
const MEMORY_BYTES = 8 * 2 ** 30

/** Even the slowest preset on one core makes a second of all usual rungs in less. */
const MS_PER_MS = 40

/** For work whose length does not depend on the file's. */
export const smallLimits: ProgramLimits = limitsOf(60_000)

/** For reading a file once. */
export const readingLimits = (mostMs: number): ProgramLimits => limitsOf(60_000 + mostMs)

/** For encoding up to `mostMs` of a file into a folder. */
export function encodingLimits(mostMs: number, ladder: Ladder, folder: string): ProgramLimits {
  const kbps = ladder.reduce((sum, { videoKbps, audioKbps }) => sum + videoKbps + audioKbps, 0)
  // Twice the bit rate of the ladder, for the container overhead of small rates, and room for stills.
  const bytes = 100_000_000 + 2 * ((kbps * mostMs) / 8)
  return { ...limitsOf(600_000 + MS_PER_MS * mostMs), folder: { path: folder, bytes } }
}

function limitsOf(timeMs: number): ProgramLimits {
  return { timeMs, cpuMs: timeMs * availableParallelism(), memoryBytes: MEMORY_BYTES }
}
