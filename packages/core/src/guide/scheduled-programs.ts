import type { Program } from '../timeline/span.ts'

/** A program whose end is known beforehand. */
export interface Windowed extends Program {
  readonly endMs: number
}

/** Those that have a window, each once, in the order in which they are to begin; of two with one id the latter. */
export function inOrderOfStart(programs: Iterable<Program | null>): Windowed[] {
  const byId = new Map<string, Windowed>()
  for (const program of programs) if (hasWindow(program)) byId.set(program.id, program)
  return [...byId.values()].toSorted(
    (one, other) => one.startMs - other.startMs || (one.id < other.id ? -1 : 1),
  )
}

const hasWindow = (program: Program | null): program is Windowed =>
  program !== null && program.endMs !== null && program.endMs > program.startMs
