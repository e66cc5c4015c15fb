import type { Program, WindowedProgram } from '../timeline/span.ts'

/** Programs with a window, without duplicates, by start; of two with the same id, the last. */
export function inOrderOfStart(programs: Iterable<Program | null>): WindowedProgram[] {
  const byId = new Map<string, WindowedProgram>()
  for (const program of programs) if (hasWindow(program)) byId.set(program.id, program)
  return [...byId.values()].toSorted(
    (one, other) => one.startMs - other.startMs || (one.id < other.id ? -1 : 1),
  )
}

const hasWindow = (program: Program | null): program is WindowedProgram =>
  program !== null && program.endMs !== null && program.endMs > program.startMs
