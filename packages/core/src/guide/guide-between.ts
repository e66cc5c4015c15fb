import { msOf, ticksOf } from '../time/ticks.ts'
import type { Program, WindowedProgram } from '../timeline/span.ts'
import { type GuideEntry, type GuideSpan, type ListedEntry, showEntries } from './guide-entry.ts'

export interface GuideParams {
  /**
   * The committed timeline, in order and without gaps: from `fromMs` or earlier to its end, or to `toMs` or
   * later.
   */
  readonly aired: readonly GuideSpan[]
  /** Programs scheduled after the committed timeline or during an open override; additional ones are ignored. */
  readonly programs: readonly Program[]
  readonly committedUntilMs: number
  readonly nowMs: number
  readonly fromMs: number
  readonly toMs: number
}

/**
 * What is on between two times: as aired or committed, and after that as scheduled. Airings that cross the
 * edges are returned complete. They do not overlap; time without a program is in none.
 */
export const guideBetween = (params: GuideParams): GuideEntry[] =>
  listBetween(params).filter((entry): entry is GuideEntry => entry.program !== null)

/**
 * The same with the filler time between the airings, up to the end of the committed timeline or of the last
 * scheduled program. Filler time has no start of its own: what was before `fromMs` is left out.
 */
export const guideWithFiller = (params: GuideParams): ListedEntry[] =>
  listBetween(params).map((entry) =>
    entry.program === null ? { ...entry, startMs: Math.max(entry.startMs, params.fromMs) } : entry,
  )

function listBetween(params: GuideParams): ListedEntry[] {
  const scheduled = inOrderOfStart([...params.aired.map(({ program }) => program), ...params.programs])
  const committed = commitUntil(params, scheduled)
  const entries = showEntries([...committed, ...planAfter(committed, scheduled)])
  return entries.filter(({ startMs, endMs }) => endMs > params.fromMs && startMs < params.toMs)
}

/** Programs with a window, without duplicates, by start; of two with the same id, the last. */
function inOrderOfStart(programs: Iterable<Program | null>): WindowedProgram[] {
  const byId = new Map<string, WindowedProgram>()
  for (const program of programs) if (hasWindow(program)) byId.set(program.id, program)
  return [...byId.values()].toSorted(
    (one, other) => one.startMs - other.startMs || (one.id < other.id ? -1 : 1),
  )
}

const hasWindow = (program: Program | null): program is WindowedProgram =>
  program !== null && program.endMs !== null && program.endMs > program.startMs

/** The spans up to where the schedule takes over. */
function commitUntil(params: GuideParams, scheduled: readonly WindowedProgram[]): readonly GuideSpan[] {
  const { aired, nowMs } = params
  const committedTicks = ticksOf(params.committedUntilMs)
  const last = aired.at(-1)
  if (last === undefined) return [{ program: null, startTicks: committedTicks, endTicks: committedTicks }]
  if (isOpenOverride(last.program, msOf(last.endTicks), nowMs)) {
    const endMs = expectedEndMs(msOf(last.startTicks), nowMs, scheduled)
    return [...aired.slice(0, -1), { ...last, endTicks: ticksOf(endMs) }]
  }
  // Rounded to milliseconds, the committed end may be slightly after the last span, and a program would be
  // split.
  if (committedTicks - last.endTicks < ticksOf(1)) return aired
  return [...aired, { program: null, startTicks: last.endTicks, endTicks: committedTicks }]
}

/** The scheduled programs after the committed timeline, the first without its covered part. */
function* planAfter(
  committed: readonly GuideSpan[],
  scheduled: readonly WindowedProgram[],
): Generator<GuideSpan> {
  let untilTicks = committed.at(-1)!.endTicks
  for (const program of scheduled) {
    const endTicks = ticksOf(program.endMs)
    if (endTicks <= untilTicks) continue
    const startTicks = Math.max(ticksOf(program.startMs), untilTicks)
    if (startTicks > untilTicks) yield { program: null, startTicks: untilTicks, endTicks: startTicks }
    yield { program, startTicks, endTicks }
    untilTicks = endTicks
  }
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const HALF_HOUR_MS = 1_800_000

/**
 * Whether the end of an override is unknown. A return is never planned ahead: it takes effect within seconds,
 * so an end more than a day ahead is that of a live span without an end.
 */
export const isOpenOverride = (program: Program | null, endMs: number, nowMs: number): boolean =>
  program !== null && program.endMs === null && endMs > nowMs + DAY_MS

/**
 * The expected end of an open override in a guide: the end of the scheduled program that it covers now, because
 * a game that runs over usually replaces the rest of one program and not the next one. After that time, it is
 * extended to the end of the next.
 *
 * @param scheduled ordered by start
 */
function expectedEndMs(startMs: number, nowMs: number, scheduled: readonly WindowedProgram[]): number {
  const atMs = Math.max(startMs, nowMs)
  const next = scheduled.find(({ endMs }) => endMs > atMs)
  if (next === undefined) return Math.ceil((atMs + HOUR_MS) / HALF_HOUR_MS) * HALF_HOUR_MS
  return next.startMs <= atMs ? next.endMs : next.startMs
}
