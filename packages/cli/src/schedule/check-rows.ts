import { type Program, type ProgramDraft, printItems } from './program-draft.ts'
import type { Fault, ProgramRow } from './program-rows.ts'

export interface Checked {
  readonly rows: readonly ProgramRow[]
  readonly faults: readonly Fault[]
}

/** The service rejects programs that start sooner. */
const NOTICE_MS = 60_000

/** Rows whose time has passed, and rows that overlap an earlier one. */
export function checkTimes(rows: readonly ProgramRow[], nowMs: number): Checked {
  const byStart = rows.toSorted((one, other) => one.startMs - other.startMs)
  const faultOf = new Map<ProgramRow, Fault>()
  let last: ProgramRow | undefined // of those before, the one that ends last
  for (const row of byStart) {
    if (row.startMs < nowMs + NOTICE_MS)
      faultOf.set(
        row,
        row.fault(`start_time ${row.draft.start_time} must be at least 60 s ahead.`, 'start_time'),
      )
    else if (last !== undefined && row.startMs < endOf(last))
      faultOf.set(
        row,
        row.fault(`overlaps "${last.draft.title}" on line ${last.fault('').line}.`, 'start_time'),
      )
    if (last === undefined || endOf(row) > endOf(last)) last = row
  }
  return {
    rows: rows.filter((row) => !faultOf.has(row)),
    faults: rows.flatMap((row) => faultOf.get(row) ?? []),
  }
}

export interface CheckedAgainst extends Checked {
  /** Rows whose program is scheduled already. */
  readonly present: readonly ProgramRow[]
}

/** Rows that overlap a program of the channel. Programs of rules give way. */
export function checkSchedule(rows: readonly ProgramRow[], programs: readonly Program[]): CheckedAgainst {
  const fixed = programs.filter(
    ({ origin, state }) => origin.type !== 'RULE' && (state === 'PLANNED' || state === 'COMMITTED'),
  )
  const present = new Set<ProgramRow>()
  const faults: Fault[] = []
  const free: ProgramRow[] = []
  for (const row of rows) {
    const other = fixed.find((it) => Date.parse(it.start_time) < endOf(row) && row.startMs < endOfProgram(it))
    if (other === undefined) free.push(row)
    else if (isSame(row.draft, other)) present.add(row)
    else faults.push(row.fault(overlapText(other), 'start_time'))
  }
  return { rows: free, present: [...present], faults }
}

/** The end of a row without one is not known here: the service checks it. */
const endOf = ({ startMs, endMs }: ProgramRow): number => endMs ?? startMs + 1

const endOfProgram = ({ start_time: start, end_time: end }: Program): number =>
  end === null ? Date.parse(start) + 1 : Date.parse(end)

function isSame(draft: ProgramDraft, program: Program): boolean {
  const { title, description = '', start_time: start, end_time: end = program.end_time, items } = draft
  // What a playlist had when the program was made is not known any more.
  const hasPlaylist = items.some((item) => 'playlist_id' in item)
  return (
    program.origin.type === 'OPERATOR' &&
    title === program.title &&
    description === program.description &&
    start === program.start_time &&
    end === program.end_time &&
    (hasPlaylist || printItems(items) === printItems(program.items ?? []))
  )
}

const overlapText = ({ title, start_time: start, end_time: end, origin }: Program): string =>
  `overlaps "${title}" (${start} to ${end}), a program of ${origin.type === 'OPERATOR' ? 'an operator' : 'a partner'}.`
