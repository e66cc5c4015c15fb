import { type AsRunEntry, addSegment } from '@continuity/core/as-run/as-run'
import { plannedSegments } from '@continuity/core/as-run/planned-segments'
import { continuesAiring } from '@continuity/core/as-run/program-airing'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import { segmentsBetween } from '@continuity/core/timeline/segments'
import type { Airing, Program } from '@continuity/core/timeline/span'
import { publishedUntil } from '@continuity/core/timeline/window'
import type { Db } from '../../platform/database/database.ts'
import { findAiringStart, listAsRun } from './as-run-store.ts'
import { loadTimeline } from './load-timeline.ts'
import { loadLive, type PlanDeps } from './plan-channel.ts'
import { listProgramItems, listPrograms, type ProgramRecord } from './program-store.ts'
import { findTimeline, type TimelineId } from './timeline-store.ts'

export type AiredDeps = Pick<PlanDeps, 'clock' | 'loadLiveView'>

const PAGE = 1_000
const PROGRAMS_AT_ONCE = 200

/**
 * What a channel has aired and is going to air, in order: the as-run record, what has been on the air since it was last
 * written, the committed timeline, and the scheduled programs after it. It begins with the program that is on at `fromMs`;
 * the caller stops where it needs no more.
 */
export async function* airedEntries(
  db: Db,
  deps: AiredDeps,
  id: TimelineId,
  fromMs: number,
  untilMs: number,
): AsyncGenerator<AsRunEntry> {
  // Read before the record, which only grows: what the timeline no longer has is in the record.
  const tail = await committedEntries(db, deps, id)
  const firstTicks = tail[0]?.startTicks ?? Number.MAX_SAFE_INTEGER
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
  const lastTicks = Math.max(tail.at(-1)?.endTicks ?? 0, ticksOf(deps.clock()))
  yield* scheduledEntries(db, id, Math.max(lastTicks, fromTicks), untilMs)
}

/** Where the program of an entry begins. */
function beginningOf(entries: readonly AsRunEntry[], at: number): number {
  let first = at
  while (first > 0 && continuesAiring(entries[first - 1]!, entries[first]!)) first -= 1
  return first
}

/** What is not in the record yet, and what the timeline has planned. */
async function committedEntries(db: Db, deps: AiredDeps, id: TimelineId): Promise<readonly AsRunEntry[]> {
  const record = await findTimeline(db, id)
  if (record === undefined) return []
  const loaded = await loadTimeline(db, record, record.openEntry?.endTicks ?? 0)
  const { timeline } = loaded
  const live = await loadLive(db, deps, loaded)
  const first = record.recordedSequence
  const published = Math.max(first, publishedUntil(timeline, ticksOf(deps.clock())) ?? first)
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
  return open === undefined ? entries : [...entries, open]
}

/** Programs that are not in the timeline yet, with their declared lengths. */
async function* scheduledEntries(
  db: Db,
  id: TimelineId,
  afterTicks: number,
  untilMs: number,
): AsyncGenerator<AsRunEntry> {
  const programs = await listPrograms(db, id, msOf(afterTicks), untilMs)
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
