import type { CatalogIndex } from './catalog-index.ts'
import { type Memory, RECENT_MS } from './memory.ts'
import type { PickedEpisode } from './pick-episode.ts'
import type { CatalogVideo, Replay } from './plan-input.ts'
import { printDate, printTime, type Zone } from './zone-time.ts'

/** `S2E4`, or what a video has of it, or else its title. */
export function printEpisode({ season_number, episode_number, title }: CatalogVideo): string {
  if (episode_number === null) return title
  return `${season_number === null ? '' : `S${season_number}`}E${episode_number}`
}

/** Such as `next episode: S2E4; previous S2E3 aired 2026-11-14`. */
export function explainEpisode(
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
export function explainLeastAired(
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

export function explainReplay(blockId: string, { of_ms, video_ids, next }: Replay, zone: Zone): string {
  const localMs = zone.localOf(of_ms)
  const when = `${printDate(localMs)} ${printTime(localMs)}`
  return `replay: ${next + 1} of ${video_ids.length} of ${blockId} of ${when}`
}
