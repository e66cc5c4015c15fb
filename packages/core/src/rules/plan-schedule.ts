import { type CatalogIndex, indexCatalog } from './catalog-index.ts'
import { type Choice, type ChoiceContext, type Chosen, choose, type Planning } from './choose.ts'
import { layProgram } from './lay-program.ts'
import { blockOf, loadMemory, recordAiring, recordProgram, saveMemory } from './memory.ts'
import { createMoment, type Moment } from './moment.ts'
import type { Plan, PlanInput, PlannedProgram, PlanWarning } from './plan-input.ts'
import { type Block, type BreakPolicy, DEFAULT_RULE, type Starts } from './plan-rules.ts'
import { createPools, dayFrom } from './pools.ts'
import { createRatingLimit, type RatingLimit } from './rating-limits.ts'
import { resolveSegments, type Segment } from './segments.ts'
import { createSeparations } from './separation.ts'
import { alignLocal, createZone, DAY_MS, dayOf, HOUR_MS, MINUTE_MS, printDate } from './zone-time.ts'

/** No program is longer than a day, so what begins later than that does not count. */
const LOOK_AHEAD_MS = 26 * HOUR_MS

/** Where nothing can be planned, it is tried again at every quarter of an hour. */
const RETRY_MS = 15 * MINUTE_MS

/** Fill is worth a warning from this length on, or if it is a whole segment. */
const LONG_FILL_MS = 30 * MINUTE_MS

/**
 * Plans the programs of a channel that begin in a range of time, by its rules.
 *
 * The range is divided into segments of blocks and of the default; each is filled in sequence of time. Whatever a
 * choice depends on is in the input or in the state, and no choice depends on where the range ends. So a plan that is
 * made in portions, each with the state of the one before, is the same as one that is made at once.
 */
export function planSchedule(
  input: PlanInput,
  index = indexCatalog(input.catalog, input.rules, input.seed),
): Plan {
  const run = createRun(input, index)
  const { memory } = run.context
  memory.untilMs = Math.max(memory.untilMs, input.from_ms)
  for (const segment of run.segments) {
    if (segment.startMs >= input.to_ms) break
    if (segment.endMs > memory.untilMs) fillSegment(run, segment)
  }
  memory.untilMs = Math.max(memory.untilMs, input.to_ms)
  const state = saveMemory(memory, run.context.index, memory.untilMs)
  return { programs: run.programs, warnings: run.warnings, state }
}

interface Run {
  readonly input: PlanInput
  readonly context: ChoiceContext
  readonly ratingLimit: RatingLimit
  readonly segments: readonly Segment[]
  readonly programs: PlannedProgram[]
  readonly warnings: PlanWarning[]
  /** Records the airings of fixed programs that ended before a time. */
  readonly passFixed: (ms: number) => void
}

function createRun(input: PlanInput, index: CatalogIndex): Run {
  const { rules, state, from_ms, to_ms, fixed } = input
  const range = { startMs: from_ms - LOOK_AHEAD_MS, endMs: to_ms + LOOK_AHEAD_MS }
  const zone = createZone(rules.time_zone, range.startMs, range.endMs)
  const memory = loadMemory(state, index)
  const separations = createSeparations(rules, memory)
  const waiting = fixed.toSorted((one, other) => one.end_ms - other.end_ms)
  const passFixed = (ms: number) => {
    for (; waiting.length > 0 && waiting[0]!.end_ms <= ms; waiting.shift()) {
      const { video_ids = [], end_ms } = waiting[0]!
      for (const videoId of video_ids) recordAiring(memory, videoId, end_ms, index)
    }
  }
  return {
    input,
    context: { index, memory, zone, separations, findPool: createPools(index, memory) },
    ratingLimit: createRatingLimit(rules, zone, range),
    segments: resolveSegments(rules, zone, range, fixed),
    programs: [],
    warnings: [],
    passFixed,
  }
}

const gridsMs: Readonly<Record<Starts, number>> = { NONE: 1, HALF_HOUR: HOUR_MS / 2, HOUR: HOUR_MS }

function fillSegment(run: Run, segment: Segment): void {
  const { input, context } = run
  const { memory, zone } = context
  const block = input.rules.blocks[segment.block]
  const gridMs = gridsMs[block?.starts ?? input.rules.starts]
  memory.untilMs = Math.max(memory.untilMs, segment.startMs)
  while (memory.untilMs < segment.endMs && memory.untilMs < input.to_ms) {
    const startMs = alignLocal(zone, memory.untilMs, gridMs)
    // A start after the range belongs to the next portion, which finds it from the same end.
    if (startMs >= input.to_ms) return
    if (startMs >= segment.endMs) memory.untilMs = segment.endMs
    else planProgram(run, segment, block, startMs)
  }
}

/** Plans one program, or leaves time for fill. */
function planProgram(run: Run, segment: Segment, block: Block | undefined, startMs: number): void {
  const { context, input, ratingLimit } = run
  const { index, separations, memory, zone } = context
  run.passFixed(startMs)
  const limitMs = Math.min(segment.endMs, startMs + DAY_MS)
  const wholeMs = Math.min(segment.endMs - segment.startMs, DAY_MS)
  const moment = createMoment(index, ratingLimit, separations, { startMs, limitMs, wholeMs })
  const day = dayFrom(dayOf(zone.localOf(startMs)), zone.momentOf)
  for (const planning of findPlannings(run, segment, block)) {
    const choice = choose(context, planning, moment, day)
    addWarnings(run, planning.rule, startMs, choice.warnings)
    if (choice.chosen !== undefined) {
      const policy = planning.rule === DEFAULT_RULE ? input.rules.breaks : block!.breaks
      addProgram(run, planning, { ...choice, chosen: choice.chosen }, moment, policy, block)
      return
    }
    warnOfFill(run, planning.rule, segment, moment)
  }
  memory.untilMs = Math.min(segment.endMs, (Math.floor(startMs / RETRY_MS) + 1) * RETRY_MS)
}

/** The block of a segment unless it has enough programs, then the default. */
function findPlannings({ input, context }: Run, segment: Segment, block: Block | undefined): Planning[] {
  const { rules } = input
  const plannings: Planning[] = []
  if (block !== undefined) {
    const occurrence = { start_ms: segment.occurrence.startMs, end_ms: segment.occurrence.endMs }
    const last = blockOf(context.memory, block.id).occurrences.at(-1)
    const count = last?.start_ms === occurrence.start_ms ? last.video_ids.length : 0
    if (count < (block.most ?? Infinity)) plannings.push({ rule: block.id, filling: block, occurrence })
  }
  if (rules.default !== null && block?.rest !== 'FILL') {
    plannings.push({ rule: DEFAULT_RULE, filling: rules.default, occurrence: null })
  }
  return plannings
}

function addProgram(
  run: Run,
  { rule, filling, occurrence }: Planning,
  { chosen }: Choice & { readonly chosen: Chosen },
  { startMs, classLimitMs }: Moment,
  policy: BreakPolicy,
  block: Block | undefined,
): void {
  const { index, memory } = run.context
  const video = index.videos[chosen.video]!
  const limitMs = Math.min(classLimitMs[index.classOf[chosen.video]!]!, index.expiredMs[chosen.video]!)
  const context = { index, memory, ratingLimit: run.ratingLimit }
  const { endMs, items, breaks, interstitials, warnings } = layProgram(context, policy, video, {
    startMs,
    limitMs,
  })
  const seriesTitle = video.series_id === null ? undefined : index.seriesTitles.get(video.series_id)
  const isLeft = rule === DEFAULT_RULE && block !== undefined
  const program: PlannedProgram = {
    start_ms: startMs,
    end_ms: endMs,
    title: filling.title ?? seriesTitle ?? video.title,
    rule,
    reason: isLeft ? `${chosen.reason}; in time that ${block.id} leaves` : chosen.reason,
    video_id: video.video_id,
    items,
    basis: {
      track: filling.track,
      order: filling.order,
      occurrence,
      position: chosen.position,
      breaks,
      interstitials,
    },
  }
  const separations = chosen.broken.map((message) => ({ code: 'separation_broken' as const, message }))
  addWarnings(
    run,
    rule,
    startMs,
    [...separations, ...warnings].map((each) => ({ ...each, video_id: video.video_id })),
  )
  recordProgram(memory, program, index)
  run.programs.push(program)
}

/** Once for each rule and local day: a segment without anything, or a long rest of one. */
function warnOfFill(run: Run, rule: string, segment: Segment, { startMs }: Moment): void {
  const { memory, zone } = run.context
  const fillMs = Math.max(segment.startMs, memory.endedMs)
  if (fillMs !== segment.startMs && segment.endMs - fillMs < LONG_FILL_MS) return
  const date = printDate(zone.localOf(startMs))
  if (memory.warned.get(rule) === date) return
  memory.warned.set(rule, date)
  const message = 'nothing that the rule plans is allowed and short enough at this time'
  addWarnings(run, rule, startMs, [{ code: 'nothing_to_play', message, video_id: null }])
}

function addWarnings(
  run: Run,
  rule: string,
  startMs: number,
  warnings: readonly (Pick<PlanWarning, 'code' | 'message' | 'video_id'> & { readonly at_ms?: number })[],
): void {
  for (const { code, message, video_id, at_ms = startMs } of warnings) {
    run.warnings.push({ code, at_ms, rule, video_id, message })
  }
}
