import { seededRandom } from '@continuity/dev/seeded-random'
import { MEDIA_BASE } from '../../../packages/server/src/modules/catalog/records/video-document.ts'
import type {
  RecordImage,
  VideoMedia,
  VideoRecord,
  VideoStatus,
} from '../../../packages/server/src/modules/catalog/records/video-record.ts'
import { BRANDS, brandIdOf, type CatalogPlan, END_MS, START_MS } from './catalog-plan.ts'
import { makeId, mixSeed } from './make-id.ts'
import { makeTexts, seriesTitleOf } from './make-texts.ts'
import { languages, type Vocabulary } from './vocabulary.ts'

export interface MadeVideo {
  readonly record: VideoRecord
  readonly media: VideoMedia
  readonly seriesTitle: string
}

const DAY_MS = 86_400_000

/** The video at an index in the order of date_published: it depends on nothing else. */
export function makeVideo(vocabulary: Vocabulary, plan: CatalogPlan, n: number): MadeVideo {
  const random = seededRandom(mixSeed(plan.seed, n + 1_000))
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  const series = plan.series[plan.seriesOf[n]!]
  const episode = plan.episodeOf[n]!
  const publishedMs = Math.floor(START_MS + ((n + random()) * (END_MS - START_MS)) / plan.videos)
  const createdMs = publishedMs - Math.floor(random() * 3_600_000)
  const videoId = makeId(createdMs, random)
  const language = series?.language ?? one(languages)
  const channelIds = [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * 2.5) }, () => one(plan.channelIds))),
  ]
  const genres = Array.from({ length: 1 + Math.floor(random() * 2) }, () => one(genreList))
  const texts = makeTexts(vocabulary, random, language, series)
  const isReady = random() >= 0.03
  const record: VideoRecord = {
    video_id: videoId,
    source_id: `partner-${1 + Math.floor(random() * 8)}`,
    video_source_id: `V-${String(n).padStart(8, '0')}`,
    brand_id: series?.brandId ?? brandIdOf(Math.floor(random() ** 3 * BRANDS)),
    channel_id: channelIds[0]!,
    channel_ids: channelIds,
    series_id: series?.seriesId ?? null,
    season_number: series === undefined ? null : 1 + Math.floor(episode / series.perSeason),
    episode_number: series === undefined ? null : 1 + (episode % series.perSeason),
    ...texts,
    genres,
    audio_language: language,
    country_origin: one(countries),
    content_format: one(['LONG_FORM', 'LONG_FORM', 'SHORT_FORM']),
    content_type: series === undefined ? one(['MOVIE', 'CLIP', 'SHOW']) : 'EPISODE',
    cut: one([null, 'TV', 'DIRECTOR']),
    periodicity: series === undefined ? null : one(['DAILY', 'WEEKLY']),
    parental_rating: one([null, 'TV-G', 'TV-PG', 'TV-14', 'TV-MA']),
    duration:
      series === undefined ? 30 + Math.floor(random() ** 2 * 9_000) : 1_200 + Math.floor(random() * 2_400),
    date_published: dateOf(publishedMs),
    ...windowOf(random, publishedMs),
    date_created: dateOf(createdMs),
    last_updated: dateOf(createdMs + Math.floor(random() * 30 * DAY_MS)),
    status: isReady ? 'READY' : one(otherStatuses),
    images: Array.from({ length: 1 + Math.floor(random() * 2) }, (_, i) => imageOf(videoId, i)),
    cue_points_ms: null,
    cue_points: [],
  }
  const seriesTitle = series === undefined ? '' : seriesTitleOf(vocabulary, series)
  return { record, media: isReady ? mediaOf(videoId) : { hlsPath: null, mp4Path: null }, seriesTitle }
}

const otherStatuses: readonly VideoStatus[] = ['DRAFT', 'PROCESSING', 'DISABLED', 'ERROR']
const countries = ['GB', 'DE', 'FR', 'ES', 'PT', 'PL', 'CZ', 'TR', 'US']
const genreList = [
  { genre: 'Drama', sub_genre: 'Crime' },
  { genre: 'Drama', sub_genre: 'History' },
  { genre: 'Comedy', sub_genre: '' },
  { genre: 'News', sub_genre: 'Local' },
  { genre: 'Sport', sub_genre: 'Football' },
  { genre: 'Sport', sub_genre: 'Cycling' },
  { genre: 'Documentary', sub_genre: 'Nature' },
  { genre: 'Children', sub_genre: 'Animation' },
  { genre: 'Music', sub_genre: 'Concert' },
  { genre: 'Cooking', sub_genre: '' },
]

const dateOf = (ms: number) => new Date(ms).toISOString()

/** One in twenty is available for a limited time only. */
function windowOf(random: () => number, publishedMs: number) {
  if (random() >= 0.05) return { date_available: null, date_expired: null }
  return {
    date_available: dateOf(publishedMs),
    date_expired: dateOf(publishedMs + Math.floor((30 + random() * 1_000) * DAY_MS)),
  }
}

function imageOf(videoId: string, i: number): RecordImage {
  const [width, height] = i === 0 ? [1_280, 720] : [600, 900]
  return {
    width,
    height,
    image_type: i === 0 ? 'THUMBNAIL' : 'POSTER',
    original_image_url: `https://partner.example/images/${videoId.slice(0, 18)}-${i}.jpg`,
    image_url: `${MEDIA_BASE}/i/${videoId}-${width}.jpg`,
  }
}

const mediaOf = (videoId: string): VideoMedia => ({
  hlsPath: `${MEDIA_BASE}/v/${videoId}/index.m3u8`,
  mp4Path: `${MEDIA_BASE}/v/${videoId}/video.mp4`,
})
