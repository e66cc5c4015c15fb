import type { CatalogIndex } from './catalog-index.ts'
import { blockOf, type Memory, openOccurrence, RECENT_MS, setReplay, trackOf } from './memory.ts'
import { fits, type Moment } from './moment.ts'
import { type PickedEpisode, pickEpisode } from './pick-episode.ts'
import { pickLeastAired } from './pick-least-aired.ts'
import type { CatalogVideo, PlanWarning, ProgramBasis, Replay } from './plan-input.ts'
import type { Filling } from './plan-rules.ts'
import type { Day, FindPool } from './pools.ts'
import type { Separations } from './separation.ts'
import { printDate, printTime, type Zone } from './zone-time.ts'

export interface ChoiceContext {
  readonly index: CatalogIndex
  readonly memory: Memory
  readonly zone: Zone
  readonly separations: Separations
  readonly findPool: FindPool
}

/** A rule that plans a program: a block in one of its occurrences, or the default. */
export interface Planning {
  readonly rule: string
  readonly filling: Filling
  readonly occurrence: ProgramBasis['occurrence']
}

export interface Chosen {
  readonly video: number
  readonly reason: string
  readonly position: ProgramBasis['position']
  /** The separations that are broken, for people. */
  readonly broken: readonly string[]
}

export interface Choice {
  /** Undefined if nothing is allowed. */
  readonly chosen: Chosen | undefined
  readonly warnings: readonly Pick<PlanWarning, 'code' | 'message' | 'video_id'>[]
}

/** The next video of a rule. */
export function choose(context: ChoiceContext, planning: Planning, moment: Moment, day: Day): Choice {
  switch (planning.filling.order) {
    case 'REPLAY':
      return chooseReplay(context, planning, moment)
    case 'NEXT_EPISODE':
    case 'MARATHON':
      return chooseEpisode(context, planning, moment, day)
    default:
      return chooseLeastAired(context, planning, moment, day)
  }
}

function chooseLeastAired(
  { index, memory, zone, separations, findPool }: ChoiceContext,
  { filling }: Planning,
  moment: Moment,
  day: Day,
): Choice {
  const track = trackOf(memory, filling.track)
  const pool = findPool(filling, day)
  const picked = pickLeastAired({ index, separations, moment, pool, track }, filling.order)
  if (picked === undefined) return { chosen: undefined, warnings: [] }
  const video = index.videos[picked.video]!
  const isAired = track.aired.has(picked.video)
  const { startMs } = moment
  const reason = explainLeastAired(video, filling.order === 'SHUFFLE', isAired, startMs, memory, zone)
  const broken = picked.mask === 0 ? [] : separations.describe(video, startMs)
  return { chosen: { video: picked.video, reason, position: null, broken }, warnings: [] }
}

function chooseEpisode(
  { index, memory, zone, separations, findPool }: ChoiceContext,
  { filling }: Planning,
  moment: Moment,
  day: Day,
): Choice {
  const track = trackOf(memory, filling.track)
  const pool = findPool(filling, day)
  const { picked, tooLong } = pickEpisode({ index, separations, moment, pool, track }, filling)
  const warnings = [...new Set(tooLong)].map((at) => {
    const video = index.videos[at]!
    const message = `${printEpisode(video)} is longer than its block`
    return { code: 'episode_left_out' as const, message, video_id: video.video_id }
  })
  // Without a choice there is another warning, and this one would be repeated at every try.
  if (picked === undefined) return { chosen: undefined, warnings: [] }
  const isMarathon = filling.order === 'MARATHON'
  const video = index.videos[picked.video]!
  const reason = explainEpisode(picked, isMarathon, index, zone)
  const position = {
    key: picked.group.key,
    label: printEpisode(video),
    index: picked.group.isPlaylist ? picked.at : 0,
  }
  const described = picked.mask === 0 ? [] : separations.describe(video, moment.startMs)
  const broken = isMarathon ? described.slice(0, 1) : described
  return { chosen: { video: picked.video, reason, position, broken }, warnings }
}

/** A replay repeats by its nature, so separations do not apply. */
function chooseReplay({ index, memory, zone }: ChoiceContext, planning: Planning, moment: Moment): Choice {
  const { rule, filling, occurrence } = planning
  if (occurrence === null || !('block_id' in filling.content)) return { chosen: undefined, warnings: [] }
  const sourceId = filling.content.block_id
  const block = blockOf(memory, rule)
  const record = openOccurrence(block, occurrence)
  const warnings: Choice['warnings'][number][] = []
  let replay = record.replay ?? findReplay(memory, sourceId, occurrence.start_ms, record.video_ids)
  for (; replay !== undefined && replay.next < replay.video_ids.length; replay = passOver(replay)) {
    const video_id = replay.video_ids[replay.next]!
    const video = index.indexOf.get(video_id)
    if (video !== undefined && fits(index, moment, video)) {
      const reason = explainReplay(sourceId, replay, zone)
      setReplay(block, record, passOver(replay))
      return { chosen: { video, reason, position: null, broken: [] }, warnings }
    }
    const message = 'a program to be replayed is not allowed at this time, or too long'
    warnings.push({ code: 'replay_left_out', message, video_id })
  }
  if (replay !== undefined) setReplay(block, record, replay)
  return { chosen: undefined, warnings }
}

const passOver = (replay: Replay): Replay => ({ ...replay, next: replay.next + 1 })

/** The last occurrence of a block that was over when the replay began; it continues after what was replayed. */
function findReplay(
  memory: Memory,
  blockId: string,
  beginMs: number,
  replayed: readonly string[],
): Replay | undefined {
  const source = blockOf(memory, blockId).occurrences.findLast(({ end_ms }) => end_ms <= beginMs)
  if (source === undefined) return undefined
  const { start_ms: of_ms, video_ids } = source
  // A video may be in it repeatedly, and some may have been left out.
  const next = replayed.reduce((at, video_id) => Math.max(at, video_ids.indexOf(video_id, at) + 1), 0)
  return { of_ms, video_ids, next }
}

/** `S2E4`, or what a video has of it, or else its title. */
function printEpisode({ season_number, episode_number, title }: CatalogVideo): string {
  if (episode_number === null) return title
  return `${season_number === null ? '' : `S${season_number}`}E${episode_number}`
}

/** Such as `next episode: S2E4; previous S2E3 aired 2026-11-14`. */
function explainEpisode(
  { video, group, at, previous, isWrapped }: PickedEpisode,
  isMarathon: boolean,
  index: CatalogIndex,
  zone: Zone,
): string {
  const episode = printEpisode(index.videos[video]!)
  const what = group.isPlaylist ? `${at + 1} of ${group.episodes.length} of the playlist` : episode
  const before =
    previous === undefined
      ? 'no previous one'
      : `previous ${previous.label} aired ${printDate(zone.localOf(previous.aired_ms))}`
  const again = isWrapped ? ', begins again' : ''
  return `${isMarathon ? 'marathon' : 'next episode'}: ${what}; ${before}${again}`
}

/** Such as `shuffle: last aired 2026-11-14`. */
function explainLeastAired(
  { video_id, date_published }: CatalogVideo,
  isShuffle: boolean,
  isAired: boolean,
  startMs: number,
  memory: Memory,
  zone: Zone,
): string {
  const name = isShuffle
    ? 'shuffle'
    : `newest first: published ${date_published === null ? 'at an unknown time' : date_published.slice(0, 10)}`
  const separator = isShuffle ? ': ' : '; '
  if (!isAired) return `${name}${separator}not yet aired in this track`
  const endMs = memory.videos.get(video_id) ?? -Infinity
  // A state keeps no more than that, so a plan in portions gives the same reason.
  const isRecent = endMs > startMs - RECENT_MS
  const when = isRecent ? printDate(zone.localOf(endMs)) : 'more than 7 days ago'
  return `${name}${separator}last aired ${when}`
}

function explainReplay(blockId: string, { of_ms, video_ids, next }: Replay, zone: Zone): string {
  const localMs = zone.localOf(of_ms)
  const when = `${printDate(localMs)} ${printTime(localMs)}`
  return `replay: ${next + 1} of ${video_ids.length} of ${blockId} of ${when}`
}
