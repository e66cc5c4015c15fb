import type { Program } from '../shared/wire-types.ts'
import type { TimeRange } from './grid-scale.ts'

/** What one row of the grid has at a time: there is a cell for every moment of a range. */
export type Cell =
  | {
      readonly kind: 'program'
      readonly startMs: number
      readonly endMs: number
      readonly program: Program
    }
  | { readonly kind: 'gap' | 'loading' | 'failed'; readonly startMs: number; readonly endMs: number }

/** The programs of a part of the time; undefined while they are read, an error if they could not be read. */
export interface Chunk extends TimeRange {
  readonly programs: readonly Program[] | undefined
  readonly error: Error | null
}

/** A shorter time without a program is what programs on segment boundaries leave. */
const GAP_MS = 60_000

/** How far an override without an end is drawn into the future: the programs after it are scheduled still. */
const OPEN_MS = 10 * 60_000

/** The cells of a range, in order. Programs are drawn whole, also where they begin before the range. */
export function cellsOf(
  chunks: readonly Chunk[],
  { fromMs, toMs }: TimeRange,
  nowMs: number,
): readonly Cell[] {
  const programs = mergePrograms(chunks, toMs, nowMs).filter(({ endMs }) => endMs > fromMs)
  const rest = chunks.flatMap(({ programs, error, ...range }): Cell[] => {
    const startMs = Math.max(range.fromMs, fromMs)
    const endMs = Math.min(range.toMs, toMs)
    if (programs !== undefined || startMs >= endMs) return []
    return [{ kind: error === null ? 'loading' : 'failed', startMs, endMs }]
  })
  const taken = [...programs, ...rest].toSorted((a, b) => a.startMs - b.startMs)
  const cells: Cell[] = []
  let atMs = fromMs
  for (const cell of taken) {
    if (cell.startMs - atMs >= GAP_MS) cells.push({ kind: 'gap', startMs: atMs, endMs: cell.startMs })
    cells.push(cell)
    atMs = Math.max(atMs, cell.endMs)
  }
  if (toMs - atMs >= GAP_MS) cells.push({ kind: 'gap', startMs: atMs, endMs: toMs })
  return cells
}

/** A program over a boundary of chunks is in both, and may be longer in the later one. */
function mergePrograms(
  chunks: readonly Chunk[],
  toMs: number,
  nowMs: number,
): readonly (Cell & { kind: 'program' })[] {
  const merged = new Map<string, Cell & { kind: 'program' }>()
  for (const { programs = [] } of chunks) {
    for (const program of programs) {
      const startMs = Date.parse(program.start_time)
      const endMs =
        program.end_time === null ? Math.max(startMs, nowMs) + OPEN_MS : Date.parse(program.end_time)
      const key = keyOf(program)
      const other = merged.get(key)
      if (startMs < toMs && (other === undefined || other.endMs < endMs)) {
        merged.set(key, { kind: 'program', startMs, endMs, program })
      }
    }
  }
  return [...merged.values()]
}

/** A program that was interrupted is listed once for each part. */
export const keyOf = ({ program_id, start_time }: Program): string => `${program_id} ${start_time}`

/** The cell at a time; the nearest earlier one in time that is too short for a cell. */
export const cellAt = (cells: readonly Cell[], atMs: number): Cell | undefined =>
  cells.findLast(({ startMs, endMs }) => startMs <= atMs && atMs < endMs) ??
  cells.findLast(({ startMs }) => startMs <= atMs) ??
  cells[0]
