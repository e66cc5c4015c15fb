import { type ChannelGuide, titleOf } from './channel-guide.ts'
import type { ListedEntry } from './guide-entry.ts'

/** The guide of one channel as JSON. Unknown values are null, so that every program has the same fields. */
export function printGuideJson(channel: ChannelGuide): string {
  const programs = channel.entries.map((entry) => printProgram(channel, entry))
  return `{"channel_id":${JSON.stringify(channel.id)},"programs":[${programs.join(',')}]}`
}

function printProgram(channel: ChannelGuide, entry: ListedEntry): string {
  const { program, startMs, endMs } = entry
  const { id = null, description = '', details = {} } = program ?? {}
  return JSON.stringify({
    program_id: id,
    title: titleOf(channel, entry),
    description: description === '' ? null : description,
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(endMs).toISOString(),
    duration_ms: endMs - startMs,
    series_title: details.seriesTitle ?? null,
    episode_title: details.episodeTitle ?? null,
    season_number: details.seasonNumber ?? null,
    episode_number: details.episodeNumber ?? null,
    genres: details.genres ?? null,
    image_url: details.imageUrl ?? null,
    parental_rating: details.parentalRating ?? null,
    language: details.language ?? null,
  })
}
