import type { ProgramDetails } from '@continuity/core/timeline/span'
import type { ScheduledVideo } from '../catalog/index.ts'
import type { Episode } from '../catalog/read.ts'

/** What a guide has about a program that shows a video. */
export function programDetails(video: ScheduledVideo, episode: Episode | undefined): ProgramDetails {
  const image = video.images.find(({ original_image_url: url }) => /^https?:/.test(url))
  return {
    ...(episode?.seriesName == null ? {} : { seriesTitle: episode.seriesName, episodeTitle: video.title }),
    ...(video.season_number === null ? {} : { seasonNumber: video.season_number }),
    ...(video.episode_number === null ? {} : { episodeNumber: video.episode_number }),
    ...(video.genres.length === 0 ? {} : { genres: video.genres.map(({ genre }) => genre) }),
    ...(image === undefined ? {} : { imageUrl: image.original_image_url }),
    ...(video.parental_rating === null ? {} : { parentalRating: video.parental_rating }),
    ...(video.audio_language === null ? {} : { language: video.audio_language }),
  }
}
