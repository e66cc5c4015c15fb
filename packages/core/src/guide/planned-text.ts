import type { WindowedProgram } from '../timeline/span.ts'

/** Planned programs as a text, and how many of them it contains. */
export interface PlannedText {
  readonly text: string
  readonly count: number
}

type Row = readonly [
  id: string,
  startMs: number,
  endMs: number,
  title: string,
  description: string,
  details: NonNullable<WindowedProgram['details']>,
]

/**
 * Prints what a guide lists of planned programs, one row each. Those that no longer fit into `mostCharacters` are left
 * out, from the end: a guide that ends early is correct.
 */
export function printPlanned(programs: readonly WindowedProgram[], mostCharacters: number): PlannedText {
  const rows: string[] = []
  let length = 2
  for (const { id, startMs, endMs, title, description, details = {} } of programs) {
    const row = JSON.stringify([id, startMs, endMs, title, description, details] satisfies Row)
    length += row.length + 1
    if (length > mostCharacters) break
    rows.push(row)
  }
  return { text: `[${rows.join(',')}]`, count: rows.length }
}

export const readPlanned = (text: string): readonly WindowedProgram[] =>
  (JSON.parse(text) as readonly Row[]).map(([id, startMs, endMs, title, description, details]) => ({
    id,
    title,
    description,
    startMs,
    endMs,
    details,
  }))
