import type { CatalogVideo, Plan, PlanInput, PlannedProgram } from '@continuity/core/rules/plan-input'
import type { Block, BreakPolicy, Filling, PlanRules, TimeOfDay } from '@continuity/core/rules/plan-rules'
import { matchesFilter, readFilter } from '@continuity/core/search/filter'
import { isNearChange, localTimeOf } from './local-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** The input, the plan, and videos by id. */
interface Checked {
  readonly input: PlanInput
  readonly plan: Plan
  readonly videos: ReadonlyMap<string, CatalogVideo>
  readonly report: (fault: string) => void
  readonly count: (name: string) => void
}

/** Every rule, verified from the plan alone and without any code of the planner. */
export function checkPlan(input: PlanInput, plan: Plan, count: (name: string) => void): string[] {
  const faults: string[] = []
  const videos = new Map(input.catalog.videos.map((video) => [video.video_id, video]))
  const report = (fault: string) => void faults.push(fault)
  const checked = { input, plan, videos, report, count }
  checkTimes(checked)
  for (const program of plan.programs) {
    checkItems(checked, program)
    checkAvailability(checked, program)
    checkRatings(checked, program)
    checkBlock(checked, program)
    checkContent(checked, program)
  }
  checkMost(checked)
  checkSeparation(checked)
  checkBreaks(checked)
  checkShuffle(checked)
  checkEpisodes(checked)
  checkFill(checked)
  return faults
}

const at = ({ start_ms, video_id }: PlannedProgram) => `${new Date(start_ms).toISOString()} ${video_id}`

function checkTimes({ input, plan: { programs }, report }: Checked): void {
  for (const [index, program] of programs.entries()) {
    const { start_ms, end_ms } = program
    if (start_ms < input.from_ms || start_ms >= input.to_ms) report(`${at(program)} is outside of the range`)
    if (end_ms <= start_ms) report(`${at(program)} has no duration`)
    if (start_ms < (programs[index - 1]?.end_ms ?? 0)) report(`${at(program)} overlaps with the one before`)
    if (input.fixed.some((fixed) => fixed.start_ms < end_ms && fixed.end_ms > start_ms)) {
      report(`${at(program)} overlaps with a fixed program`)
    }
  }
}

/** The whole video once, in sequence, and as long as the program. */
function checkItems({ videos, report }: Checked, program: PlannedProgram): void {
  const video = videos.get(program.video_id)
  if (video?.status !== 'READY') {
    report(`${at(program)} is not a READY video`)
    return
  }
  let [shownMs, ms] = [0, 0]
  for (const item of program.items) {
    if ('type' in item) ms += item.duration * 1_000
    else if (item.video_id === program.video_id) {
      if ((item.in_ms ?? 0) !== shownMs) report(`${at(program)} does not continue`)
      shownMs = item.out_ms ?? video.duration_ms
      ms += shownMs - (item.in_ms ?? 0)
    } else ms += videos.get(item.video_id)?.duration_ms ?? Number.NaN
  }
  if (shownMs !== video.duration_ms) report(`${at(program)} is not whole`)
  if (ms !== program.end_ms - program.start_ms) report(`${at(program)} is not as long as its items`)
}

function checkAvailability({ input, videos, report, count }: Checked, program: PlannedProgram): void {
  const { video_id, series_id, keywords, date_available, date_expired } = videos.get(program.video_id)!
  const limits = input.rules.availability.filter(
    (each) =>
      each.video_id === video_id ||
      each.series_id === (series_id ?? '') ||
      keywords.includes(each.keyword ?? ''),
  )
  const all = [{ from: date_available, until: date_expired }, ...limits]
  for (const { from, until } of all) {
    if (from !== null || until !== null) count('limited_programs')
    if (from !== null && program.start_ms < Date.parse(from)) report(`${at(program)} is not available yet`)
    if (until !== null && program.end_ms > Date.parse(until)) report(`${at(program)} is no longer available`)
  }
}

function checkRatings({ input: { rules }, videos, report, count }: Checked, program: PlannedProgram): void {
  const { parental_rating: rating } = videos.get(program.video_id)!
  for (let ms = program.start_ms; ms < program.end_ms; ms += 5 * MINUTE_MS) {
    for (const sampledMs of [ms, Math.min(ms + 5 * MINUTE_MS, program.end_ms) - 1]) {
      if (isNearChange(rules.time_zone, sampledMs)) continue
      for (const window of rules.ratings) {
        if (!covers(rules.time_zone, [window], window.days, sampledMs)) continue
        count('rated_samples')
        const isAllowed = rating === null ? window.unrated : window.allowed.includes(rating)
        if (!isAllowed) report(`${at(program)} has the rating ${rating}`)
      }
    }
  }
}

/** The date on which the time that covers a moment begins; undefined for none. */
function covers(
  zone: string,
  times: readonly TimeOfDay[],
  days: readonly string[],
  ms: number,
): string | undefined {
  const now = localTimeOf(zone, ms)
  const before = localTimeOf(zone, ms - (now.minute + 1) * MINUTE_MS)
  const minuteOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  for (const { from, to } of times) {
    const [begin, end] = [minuteOf(from), minuteOf(to)]
    const isOver = end <= begin
    if (days.includes(now.weekday) && now.minute >= begin && (isOver || now.minute < end)) return now.date
    if (isOver && days.includes(before.weekday) && now.minute < end) return before.date
  }
  return undefined
}

/** The block that a moment belongs to by priority. */
function findBlock(rules: PlanRules, ms: number): Block | undefined {
  const blocks = rules.blocks.filter(({ times, days, first_date, last_date }) =>
    times.some((time) => {
      const date = covers(rules.time_zone, [time], days, ms)
      return date !== undefined && date >= (first_date ?? '') && date <= (last_date ?? '9999')
    }),
  )
  return blocks.reduce<Block | undefined>(
    (best, each) => (best === undefined || each.priority > best.priority ? each : best),
    undefined,
  )
}

function checkBlock({ input: { rules }, report, count }: Checked, program: PlannedProgram): void {
  const { start_ms, end_ms, rule, reason } = program
  if (isNearChange(rules.time_zone, start_ms) || isNearChange(rules.time_zone, end_ms)) {
    count('near_change')
    return
  }
  const [first, last] = [findBlock(rules, start_ms), findBlock(rules, end_ms - 1)]
  if (first !== last) report(`${at(program)} leaves the block ${first?.id} in which it begins`)
  if (rule !== 'default' && first?.id !== rule)
    report(`${at(program)} is of ${rule} in the time of ${first?.id}`)
  if (rule === 'default' && first !== undefined) {
    if (first.rest !== 'DEFAULT') report(`${at(program)} is of the default in the time of ${first.id}`)
    if (!reason.endsWith(`in time that ${first.id} leaves`))
      report(`${at(program)} does not name ${first.id}`)
  }
  if (localTimeOf(rules.time_zone, start_ms).ms % gridOf(rules, first) !== 0)
    report(`${at(program)} is not aligned`)
  count(`aligned_${first?.starts ?? rules.starts}`)
}

const gridOf = (rules: PlanRules, block: Block | undefined): number =>
  ({ NONE: 1, HALF_HOUR: 30 * MINUTE_MS, HOUR: HOUR_MS })[block?.starts ?? rules.starts]

/**
 * No occurrence of a block has more programs than the block allows. Where two occurrences overlap, it is not visible
 * which of them a program belongs to.
 */
function checkMost({ input: { rules }, plan, report, count }: Checked): void {
  const counted = new Map<string, number>()
  for (const program of plan.programs) {
    const block = rules.blocks.find(({ id }) => id === program.rule)
    if (block === undefined || block.most === null) continue
    if (isNearChange(rules.time_zone, program.start_ms)) continue
    const occurrences = block.times.flatMap((time) => {
      const date = covers(rules.time_zone, [time], block.days, program.start_ms)
      return date === undefined ? [] : [`${block.id} ${date} ${time.from}`]
    })
    if (occurrences.length !== 1) continue
    const programs = (counted.get(occurrences[0]!) ?? 0) + 1
    counted.set(occurrences[0]!, programs)
    if (programs === block.most) count('full_occurrences')
    if (programs > block.most) report(`${at(program)} is one too many in ${occurrences[0]}`)
  }
}

const fillingOf = (rules: PlanRules, rule: string): Filling =>
  rules.blocks.find(({ id }) => id === rule) ?? rules.default!

function checkContent(checked: Checked, program: PlannedProgram): void {
  const { input, videos, report, count, plan } = checked
  const filling = fillingOf(input.rules, program.rule)
  count(`programs_${filling.order}`)
  if (isNearChange(input.rules.time_zone, program.start_ms)) return
  const video = videos.get(program.video_id)!
  const isIn =
    'block_id' in filling.content
      ? plan.programs.some(
          ({ rule, video_id, start_ms }) =>
            'block_id' in filling.content &&
            rule === filling.content.block_id &&
            video_id === program.video_id &&
            start_ms < program.start_ms,
        )
      : isInContent(input, filling, video, program.start_ms)
  if (!isIn) report(`${at(program)} is not in the content of ${program.rule}`)
}

function isInContent(
  { rules, catalog }: PlanInput,
  { content }: Filling,
  video: CatalogVideo,
  ms: number,
): boolean {
  if ('series_ids' in content) return content.series_ids.includes(video.series_id ?? '')
  if ('playlist_id' in content) {
    const list = catalog.playlists.find(({ playlist_id }) => playlist_id === content.playlist_id)
    return list?.video_ids.includes(video.video_id) === true
  }
  if ('block_id' in content) return false
  const local = localTimeOf(rules.time_zone, ms)
  const midnightMs = ms - (local.ms % (24 * HOUR_MS))
  const read = readFilter(content.filter, midnightMs)
  return read.kind === 'filter' && matchesFilter(read.filter, video)
}

/** Strict ones are kept; one that is broken has a warning, and a warning is of one that is broken. */
function checkSeparation({ input, plan, videos, report, count }: Checked): void {
  const ended = new Map<string, number>()
  const fixed = input.fixed.toSorted((one, other) => one.end_ms - other.end_ms)
  const warned = new Set(
    plan.warnings.filter(({ code }) => code === 'separation_broken').map(({ at_ms }) => at_ms),
  )
  const keysOf = (id: string) => {
    const video = videos.get(id)
    return [
      `VIDEO ${id}`,
      `SERIES ${video?.series_id}`,
      ...(video?.keywords ?? []).map((each) => `KEYWORD ${each}`),
    ]
  }
  const note = (id: string, endMs: number) => {
    for (const key of keysOf(id)) ended.set(key, Math.max(endMs, ended.get(key) ?? 0))
  }
  for (const program of plan.programs) {
    for (; fixed.length > 0 && fixed[0]!.end_ms <= program.start_ms; fixed.shift()) {
      for (const id of fixed[0]!.video_ids ?? []) note(id, fixed[0]!.end_ms)
    }
    const { order } = fillingOf(input.rules, program.rule)
    const { series_id, keywords } = videos.get(program.video_id)!
    const broken = input.rules.separation.filter(({ by, keyword, minutes }) => {
      if (order === 'REPLAY' || (order === 'MARATHON' && by !== 'VIDEO')) return false
      if (by === 'SERIES' && series_id === null) return false
      if (by === 'KEYWORD' && !keywords.includes(keyword!)) return false
      const key = by === 'VIDEO' ? program.video_id : by === 'SERIES' ? series_id : keyword
      return program.start_ms - (ended.get(`${by} ${key}`) ?? 0) < minutes * MINUTE_MS
    })
    if (broken.some(({ strict }) => strict)) report(`${at(program)} breaks a strict separation`)
    const isBroken = broken.length > 0
    if (isBroken) count('separations_broken')
    if (isBroken !== warned.has(program.start_ms)) report(`${at(program)} has a warning: ${!isBroken}`)
    note(program.video_id, program.end_ms)
  }
}

function checkBreaks({ input: { rules }, plan, videos, report, count }: Checked): void {
  const breaks: { readonly startMs: number; readonly endMs: number }[] = []
  for (const program of plan.programs) {
    const policy: BreakPolicy = rules.blocks.find(({ id }) => id === program.rule)?.breaks ?? rules.breaks
    const { duration_ms, cue_points_ms = [] } = videos.get(program.video_id)!
    let [ms, shownMs] = [program.start_ms, 0]
    for (const item of program.items) {
      if ('type' in item) {
        const startMs = ms
        ms += item.duration * 1_000
        count(`breaks_${policy.at}`)
        const lastMs = breaks.at(-1)?.endMs ?? 0
        if (item.duration !== policy.length_seconds) report(`${at(program)} has a break of another length`)
        if (startMs - lastMs < policy.every_minutes * MINUTE_MS) report(`${at(program)} has a break too soon`)
        const recent = breaks.filter((each) => each.startMs > startMs - HOUR_MS).length
        if (recent >= (policy.most_per_hour ?? Infinity))
          report(`${at(program)} has too many breaks in an hour`)
        if (policy.at === 'CUE_POINTS' && !isAtCue(policy, shownMs, duration_ms, cue_points_ms)) {
          report(`${at(program)} has a break at ${shownMs}`)
        }
        if (policy.at === 'BETWEEN' && shownMs !== duration_ms) report(`${at(program)} is interrupted`)
        if (policy.at === 'NONE') report(`${at(program)} has a break`)
        breaks.push({ startMs, endMs: ms })
      } else if (item.video_id === program.video_id && program.items.indexOf(item) !== -1) {
        const outMs = item.out_ms ?? duration_ms
        ms += outMs - (item.in_ms ?? 0)
        shownMs = outMs
      } else ms += videos.get(item.video_id)!.duration_ms
    }
  }
}

const isAtCue = (policy: BreakPolicy, ms: number, durationMs: number, cues: readonly number[]): boolean =>
  cues.includes(ms) &&
  ms >= policy.from_start_minutes * MINUTE_MS &&
  ms <= durationMs - policy.from_end_minutes * MINUTE_MS

const isUnlimited = (video: CatalogVideo, { availability }: PlanRules) =>
  video.date_available === null && video.date_expired === null && availability.length === 0

/** A video is not repeated while one that could have been aired in its place has never been aired in the track. */
function checkShuffle({ input, plan, videos, report, count }: Checked): void {
  const { rules } = input
  const aired = new Set<string>()
  for (const program of plan.programs) {
    const filling = fillingOf(rules, program.rule)
    if (filling.order !== 'SHUFFLE' && filling.order !== 'NEWEST_FIRST') continue
    const key = (id: string) => `${filling.track} ${id}`
    if (
      aired.has(key(program.video_id)) &&
      rules.separation.length === 0 &&
      !('block_id' in filling.content)
    ) {
      count('repeats')
      const one = videos.get(program.video_id)!
      const missed = [...videos.values()].find(
        (other) =>
          !aired.has(key(other.video_id)) &&
          other.status === 'READY' &&
          other.duration_ms <= one.duration_ms &&
          other.parental_rating === one.parental_rating &&
          isUnlimited(other, rules) &&
          !isNearChange(rules.time_zone, program.start_ms) &&
          isInContent(input, filling, other, program.start_ms),
      )
      if (missed !== undefined) report(`${at(program)} is repeated before ${missed.video_id} was aired`)
    }
    aired.add(key(program.video_id))
  }
}

/** Where nothing limits a series, its next episode is the one after the last. */
function checkEpisodes({ input: { rules, catalog }, plan, report, count }: Checked): void {
  if (rules.ratings.length > 0 || rules.availability.length > 0) return
  const last = new Map<string, PlannedProgram>()
  for (const program of plan.programs) {
    const { position, track } = program.basis
    if (position === null || !/^s\d$/.test(position.key)) continue
    const key = `${track} ${position.key}`
    const before = last.get(key)
    last.set(key, program)
    const filling = fillingOf(rules, program.rule)
    if (before === undefined || !('series_ids' in filling.content)) continue
    const episodes = catalog.videos.filter(({ series_id }) => series_id === position.key)
    if (episodes.some((each) => !isUnlimited(each, rules) || each.duration_ms > 10 * MINUTE_MS)) {
      // One may be too long for its block: at least the sequence is that of the episodes.
      const number = (id: string) => episodes.findIndex(({ video_id }) => video_id === id)
      const isForward = number(program.video_id) > number(before.video_id)
      count('episodes')
      if (
        !isForward &&
        !program.reason.endsWith('begins again') &&
        !program.reason.includes('begins again;')
      ) {
        report(`${at(program)} is before ${before.video_id}`)
      }
      if (!isForward && filling.at_end === 'STOP') report(`${at(program)} begins again`)
    }
  }
}

/**
 * Time between programs in which something could have been aired. Only for contents in any sequence and without rules
 * that may forbid a video.
 */
function checkFill({ input, plan: { programs, warnings }, report, count }: Checked): void {
  const { rules, fixed } = input
  const zone = rules.time_zone
  for (const [index, { end_ms: startMs }] of programs.entries()) {
    const next = programs[index + 1]
    if (next === undefined || next.start_ms === startMs || isNearChange(zone, startMs)) continue
    const fixedMs = Math.min(
      ...fixed.filter(({ end_ms }) => end_ms > startMs).map(({ start_ms }) => start_ms),
    )
    const block = findBlock(rules, startMs)
    let endMs = startMs
    while (endMs < Math.min(next.start_ms, fixedMs) && findBlock(rules, endMs) === block) endMs += MINUTE_MS
    endMs = Math.min(endMs - (endMs % MINUTE_MS), next.start_ms, fixedMs)
    count('gaps')
    const rule = block?.id ?? (rules.default === null ? undefined : 'default')
    if (rule === undefined || endMs - startMs < 100 * MINUTE_MS) continue
    const filling = fillingOf(rules, rule)
    const isFree = block === undefined || (block.most === null && filling.order !== 'REPLAY')
    if (isFree && !warnings.some((each) => each.code === 'nothing_to_play' && each.rule === rule)) {
      report(`no warning of fill from ${new Date(startMs).toISOString()} to ${new Date(endMs).toISOString()}`)
    }
    const isAnyOrder = filling.order === 'SHUFFLE' || filling.order === 'NEWEST_FIRST'
    if (!isFree || !isAnyOrder || rules.ratings.length > 0 || rules.separation.some(({ strict }) => strict))
      continue
    // A filter by date may not match any more at the next time at which a program may begin.
    const grid = gridOf(rules, block)
    const firstMs = startMs + ((grid - (localTimeOf(zone, startMs).ms % grid)) % grid)
    if (isNearChange(zone, firstMs)) continue
    count('long_gaps_checked')
    const possible = input.catalog.videos.find(
      (video) =>
        video.status === 'READY' &&
        isUnlimited(video, rules) &&
        video.duration_ms <= 35 * MINUTE_MS &&
        isInContent(input, filling, video, firstMs),
    )
    if (possible !== undefined)
      report(`fill from ${new Date(startMs).toISOString()} although ${possible.video_id} fits`)
  }
}
