import type { CatalogIndex } from './catalog-index.ts'
import type { BlockState, Occurrence, PlannedProgram, PlanState, Position, Replay } from './plan-input.ts'
import { DAY_MS } from './zone-time.ts'

/** The state of a plan while it is made. Written by `recordProgram` and the planner only. */
export interface Memory {
  untilMs: number
  endedMs: number
  readonly tracks: Map<string, Track>
  /** Ends of the last airings. */
  readonly videos: Map<string, number>
  readonly series: Map<string, number>
  readonly keywords: Map<string, number>
  breaks: { readonly start_ms: number; readonly end_ms: number }[]
  readonly interstitials: Map<string, string>
  readonly blocks: Map<string, BlockMemory>
  readonly warned: Map<string, string>
}

export interface Track {
  turn: number
  /** The one set last at the end. */
  readonly positions: Map<string, Position>
  cycle: number
  /** By index of the video, the one aired last at the end. */
  readonly aired: Map<number, number>
  /** Videos that are not in the catalog now and may return. */
  readonly gone: (readonly [string, number])[]
}

export interface BlockMemory {
  occurrences: Occurrence[]
  readonly videoIds: Set<string>
  /** Counts changes of the videos, for what is derived from them. */
  changes: number
}

/** The longest separation. */
export const RECENT_MS = 7 * DAY_MS
const AIRED_MAXIMUM = 10_000
const BLOCK_VIDEOS_MAXIMUM = 1_000
/** A policy counts at most so many in an hour. */
const BREAKS_MAXIMUM = 60

export function loadMemory(state: PlanState, index: CatalogIndex): Memory {
  const recent = (kind: string) =>
    new Map(
      Object.entries(state.recent)
        .filter(([key]) => key.startsWith(kind))
        .map(([key, endMs]) => [key.slice(kind.length), endMs]),
    )
  return {
    untilMs: state.until_ms ?? -Infinity,
    endedMs: state.ended_ms ?? -Infinity,
    tracks: new Map(
      Object.entries(state.tracks).map(([name, { turn, positions, cycle, aired }]) => {
        const known = aired.filter(([id]) => index.indexOf.has(id))
        const track: Track = {
          turn,
          positions: new Map(
            Object.entries(positions).toSorted(([, one], [, other]) => one.turn - other.turn),
          ),
          cycle,
          aired: new Map(known.map(([id, stamp]) => [index.indexOf.get(id)!, stamp])),
          gone: aired.filter(([id]) => !index.indexOf.has(id)),
        }
        return [name, track]
      }),
    ),
    videos: recent('video:'),
    series: recent('series:'),
    keywords: recent('keyword:'),
    breaks: [...state.breaks],
    interstitials: new Map(Object.entries(state.interstitials)),
    blocks: new Map(
      Object.entries(state.blocks).map(([id, block]) => [
        id,
        { occurrences: [...block.occurrences], videoIds: new Set(block.video_ids), changes: 0 },
      ]),
    ),
    warned: new Map(Object.entries(state.warned)),
  }
}

/** What is older than a rule can count is left out. */
export function saveMemory(memory: Memory, index: CatalogIndex, nowMs: number): PlanState {
  const recent = [
    ...[...memory.videos].map(([key, endMs]) => [`video:${key}`, endMs] as const),
    ...[...memory.series].map(([key, endMs]) => [`series:${key}`, endMs] as const),
    ...[...memory.keywords].map(([key, endMs]) => [`keyword:${key}`, endMs] as const),
  ]
  return {
    until_ms: Number.isFinite(memory.untilMs) ? memory.untilMs : null,
    ended_ms: Number.isFinite(memory.endedMs) ? memory.endedMs : null,
    tracks: Object.fromEntries(
      [...memory.tracks].map(([name, { turn, positions, cycle, aired, gone }]) => {
        const known = [...aired].map(([at, stamp]) => [index.videos[at]!.video_id, stamp] as const)
        const latest = [...gone, ...known].slice(-AIRED_MAXIMUM)
        return [name, { turn, positions: Object.fromEntries(positions), cycle, aired: latest }]
      }),
    ),
    recent: Object.fromEntries(recent.filter(([, endMs]) => endMs > nowMs - RECENT_MS)),
    breaks: memory.breaks,
    interstitials: Object.fromEntries(memory.interstitials),
    blocks: Object.fromEntries(
      [...memory.blocks].map(([id, { occurrences, videoIds }]): [string, BlockState] => [
        id,
        { occurrences, video_ids: [...videoIds] },
      ]),
    ),
    warned: Object.fromEntries(memory.warned),
  }
}

/** The state after programs that were planned before, such as those that are committed when rules change. */
export function continueState(
  state: PlanState,
  programs: readonly RecordedProgram[],
  index: CatalogIndex,
): PlanState {
  const memory = loadMemory(state, index)
  for (const program of programs) recordProgram(memory, program, index)
  return saveMemory(memory, index, memory.endedMs)
}

/** What matters of a program for those after it. */
export type RecordedProgram = Pick<PlannedProgram, 'start_ms' | 'end_ms' | 'rule' | 'video_id' | 'basis'>

/** Everything that a planned program changes for those after it. */
export function recordProgram(memory: Memory, program: RecordedProgram, index: CatalogIndex): void {
  const { rule, video_id, basis, end_ms } = program
  memory.endedMs = end_ms
  memory.untilMs = end_ms
  recordAiring(memory, video_id, end_ms, index)
  recordItems(memory, program)
  recordChoice(trackOf(memory, basis.track), program, index)
  if (basis.occurrence === null) return
  const block = blockOf(memory, rule)
  block.changes += 1
  block.videoIds.delete(video_id)
  block.videoIds.add(video_id)
  const [oldest] = block.videoIds
  if (block.videoIds.size > BLOCK_VIDEOS_MAXIMUM) block.videoIds.delete(oldest!)
  const occurrence = openOccurrence(block, basis.occurrence)
  replaceLast(block, { ...occurrence, video_ids: [...occurrence.video_ids, video_id] })
}

/** For the separation of what follows. */
export function recordAiring(memory: Memory, videoId: string, endMs: number, index: CatalogIndex): void {
  const raise = (map: Map<string, number>, key: string) =>
    void map.set(key, Math.max(endMs, map.get(key) ?? -Infinity))
  raise(memory.videos, videoId)
  const at = index.indexOf.get(videoId)
  const video = at === undefined ? index.unplanned.get(videoId) : index.videos[at]
  if (video === undefined) return
  const { series_id, keywords } = video
  if (series_id !== null) raise(memory.series, series_id)
  for (const keyword of keywords) raise(memory.keywords, keyword)
}

export function trackOf(memory: Memory, name: string): Track {
  const known = memory.tracks.get(name)
  if (known !== undefined) return known
  const track: Track = { turn: 0, positions: new Map(), cycle: 0, aired: new Map(), gone: [] }
  memory.tracks.set(name, track)
  return track
}

export function blockOf(memory: Memory, id: string): BlockMemory {
  const known = memory.blocks.get(id)
  if (known !== undefined) return known
  const block: BlockMemory = { occurrences: [], videoIds: new Set(), changes: 0 }
  memory.blocks.set(id, block)
  return block
}

/** The record of an occurrence, which is the last one of its block. */
export function openOccurrence(
  block: BlockMemory,
  { start_ms, end_ms }: { readonly start_ms: number; readonly end_ms: number },
): Occurrence {
  const last = block.occurrences.at(-1)
  if (last?.start_ms === start_ms) return last
  const occurrence = { start_ms, end_ms, video_ids: [], replay: null }
  block.occurrences = [...block.occurrences.slice(-1), occurrence]
  return occurrence
}

export function setReplay(block: BlockMemory, occurrence: Occurrence, replay: Replay): void {
  replaceLast(block, { ...occurrence, replay })
}

function replaceLast(block: BlockMemory, occurrence: Occurrence): void {
  block.occurrences = [...block.occurrences.slice(0, -1), occurrence]
}

function recordChoice(
  track: Track,
  { basis, video_id, start_ms }: RecordedProgram,
  index: CatalogIndex,
): void {
  const at = index.indexOf.get(video_id)
  if (basis.position !== null) {
    const video = at === undefined ? undefined : index.videos[at]!
    track.turn += 1
    track.positions.delete(basis.position.key)
    track.positions.set(basis.position.key, {
      video_id,
      season: video?.season_number ?? 0,
      episode: video?.episode_number ?? 0,
      label: basis.position.label,
      index: basis.position.index,
      aired_ms: start_ms,
      turn: track.turn,
    })
  } else if (at !== undefined && basis.order !== 'REPLAY') {
    if (track.aired.get(at) === track.cycle) track.cycle += 1
    track.aired.delete(at)
    track.aired.set(at, track.cycle)
    const [oldest] = track.aired.keys()
    if (track.aired.size > AIRED_MAXIMUM) track.aired.delete(oldest!)
  }
}

function recordItems(memory: Memory, { basis: { breaks, interstitials } }: RecordedProgram): void {
  for (const { playlist_id, video_id } of interstitials) memory.interstitials.set(playlist_id, video_id)
  memory.breaks = [...memory.breaks, ...breaks].slice(-BREAKS_MAXIMUM)
}
