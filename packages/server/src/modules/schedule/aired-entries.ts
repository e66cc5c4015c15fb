import { type AsRunEntry, addSegment } from '@continuity/core/as-run/as-run'
import { plannedSegments } from '@continuity/core/as-run/planned-segments'
import { continuesAiring } from '@continuity/core/as-run/program-airing'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import { isSpare } from '@continuity/core/timeline/planned-until'
import type { Timeline } from '@continuity/core/timeline/run'
import { segmentsBetween } from '@continuity/core/timeline/segments'
import { type Airing, hasNoEnd, type Program } from '@continuity/core/timeline/span'
import { publishedUntil } from '@continuity/core/timeline/window'
import type { Db } from '../../platform/database/database.ts'
import { findAiringStart, listAsRun } from './as-run-store.ts'
import { loadTimeline } from './load-timeline.ts'
import { loadLive, NEAR_MS, type PlanDeps } from './plan-channel.ts'
import { listProgramItems, listPrograms, type ProgramRecord } from './program-store.ts'
import { findTimeline, type TimelineId } from './timeline-store.ts'

export type AiredDeps = Pick<PlanDeps, 'clock' | 'loadLiveView'>

const PAGE = 1_000
const PROGRAMS_AT_ONCE = 200

/** The end of an entry that lasts until something replaces it: an override, or the slate after an outdated plan. */
export const NO_END = Number.MAX_SAFE_INTEGER

/**
 * What a channel has aired and is going to air, in order: the as-run record, what has been on the air since it was last
 * written, the committed timeline, and the scheduled programs after it, whose entries have no segments. It begins with the
 * program that is on at `fromMs`; the caller stops where it needs no more.
 *
 * What has no end of its own ends with its last published segment, or at `NO_END` where `isOpenEnded`.
 */
export async function* airedEntries(
  db: Db,
  deps: AiredDeps,
  id: TimelineId,
  fromMs: number,
  untilMs: number,
  isOpenEnded = false,
): AsyncGenerator<AsRunEntry> {
  // Read before the record, which only grows: what the timeline no longer has is in the record.
  const { tail: committed, timeline } = await committedEntries(db, deps, id)
  const nowTicks = ticksOf(deps.clock())
  const tail = isOpenEnded ? withOpenEnd(committed, timeline, nowTicks) : committed
  const firstTicks = tail[0]?.startTicks ?? NO_END
  let after = (await findAiringStart(db, id, ticksOf(fromMs))) - 1
  for (let isMore = true; isMore; ) {
    const page = await listAsRun(db, id, after, firstTicks, PAGE)
    yield* page
    after = page.at(-1)?.startTicks ?? after
    isMore = page.length === PAGE
  }
  const fromTicks = ticksOf(fromMs)
  const kept = tail.findIndex(({ endTicks }) => endTicks > fromTicks)
  if (kept >= 0) yield* tail.slice(beginningOf(tail, kept))
  const lastTicks = Math.max(committed.at(-1)?.endTicks ?? 0, nowTicks)
  yield* scheduledEntries(db, id, lastTicks, fromMs, untilMs)
}

/** Where the program of an entry begins. */
function beginningOf(entries: readonly AsRunEntry[], at: number): number {
  let first = at
  while (first > 0 && continuesAiring(entries[first - 1]!, entries[first]!)) first -= 1
  return first
}

interface Committed {
  readonly tail: readonly AsRunEntry[]
  readonly timeline: Timeline | undefined
}

/** What is not in the record yet, and what the timeline has planned, up to where the schedule has changed since. */
async function committedEntries(db: Db, deps: AiredDeps, id: TimelineId): Promise<Committed> {
  const record = await findTimeline(db, id)
  if (record === undefined) return { tail: [], timeline: undefined }
  const loaded = await loadTimeline(db, record, record.openEntry?.endTicks ?? 0)
  const { timeline } = loaded
  const live = await loadLive(db, deps, loaded)
  const nowMs = deps.clock()
  const first = record.recordedSequence
  const published = Math.max(first, publishedUntil(timeline, ticksOf(nowMs)) ?? first)
  const entries: AsRunEntry[] = []
  let open = record.openEntry ?? undefined
  const parts = [segmentsBetween(timeline, first, published, live), plannedSegments(timeline, published)]
  for (const segments of parts) {
    for (const segment of segments) {
      const added = addSegment(open, segment)
      if (added.closed !== undefined) entries.push(added.closed)
      open = added.open
    }
  }
  const all = open === undefined ? entries : [...entries, open]
  const { changedMs } = record
  return {
    tail: changedMs === null ? all : upTo(all, Math.max(changedMs, nowMs + NEAR_MS)),
    timeline,
  }
}

/** Without programs whose windows begin later: their first segment may begin slightly earlier. */
function upTo(entries: readonly AsRunEntry[], untilMs: number): readonly AsRunEntry[] {
  const ticks = ticksOf(untilMs)
  return entries
    .filter(({ startTicks, program }) => startTicks < ticks && (program?.startMs ?? 0) < untilMs)
    .map((entry) => (entry.endTicks > ticks ? { ...entry, endTicks: ticks } : entry))
}

/** What has no end is on the air, or about to be: an override, or the slate where planning has stopped. */
function withOpenEnd(
  entries: readonly AsRunEntry[],
  timeline: Timeline | undefined,
  nowTicks: number,
): readonly AsRunEntry[] {
  const span = timeline?.runs.at(-1)?.spans.at(-1)
  if (span === undefined || !hasNoEnd(span) || (isSpare(span) && span.startTicks > nowTicks)) return entries
  const last = entries.at(-1)
  // The last published segment states what is shown: a live source without a signal is covered by a slate.
  if (last !== undefined && last.endTicks > span.startTicks)
    return [...entries.slice(0, -1), { ...last, endTicks: NO_END }]
  const { airing, startTicks } = span
  return [...entries, { ...airing, breakSequence: null, startTicks, endTicks: NO_END, segments: 1 }]
}

/** Programs that are not in the timeline yet, with their declared lengths. */
async function* scheduledEntries(
  db: Db,
  id: TimelineId,
  afterTicks: number,
  fromMs: number,
  untilMs: number,
): AsyncGenerator<AsRunEntry> {
  const programs = await listPrograms(db, id, Math.max(msOf(afterTicks), fromMs), untilMs)
  for (let at = 0; at < programs.length; at += PROGRAMS_AT_ONCE) {
    const some = programs.slice(at, at + PROGRAMS_AT_ONCE)
    const items = await listProgramItems(
      db,
      id.accountId,
      some.map(({ programId }) => programId),
    )
    const byProgram = Map.groupBy(items, ({ programId }) => programId)
    for (const program of some) {
      for (const entry of declaredEntries(program, byProgram.get(program.programId) ?? [])) {
        const startTicks = Math.max(entry.startTicks, afterTicks)
        if (startTicks < entry.endTicks) yield { ...entry, startTicks }
      }
    }
  }
}

/** The entries of a program that is not in the timeline yet. */
export async function listDeclaredEntries(db: Db, program: ProgramRecord): Promise<readonly AsRunEntry[]> {
  const items = await listProgramItems(db, program.accountId, [program.programId])
  return [...declaredEntries(program, items)]
}

function* declaredEntries(
  record: ProgramRecord,
  items: Awaited<ReturnType<typeof listProgramItems>>,
): Generator<AsRunEntry> {
  const { programId, title, description, startMs, endMs, details } = record
  const program: Program = { id: programId, title, description, startMs, endMs, details }
  const endTicks = ticksOf(endMs)
  let startTicks = ticksOf(startMs)
  const entry = (airing: Omit<Airing, 'program'>, until: number): AsRunEntry => {
    const made = { ...airing, program, breakSequence: null, startTicks, endTicks: until, segments: 0 }
    startTicks = until
    return made
  }
  for (const [component, item] of items.entries()) {
    if (startTicks >= endTicks) return
    const { type, videoId, declaredMs } = item
    const airing = { component, type, referenceId: videoId, title: item.title }
    yield entry(airing, Math.min(endTicks, startTicks + ticksOf(declaredMs)))
  }
  const fill = { component: items.length, type: 'TIME_FILL', referenceId: null, title: '' } as const
  if (startTicks < endTicks) yield entry(fill, endTicks)
}
