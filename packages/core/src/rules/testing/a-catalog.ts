import type { CatalogSnapshot, CatalogVideo } from '../plan-input.ts'

const MINUTE_MS = 60_000

/** A video of the catalog; minutes are its length. */
export function aVideo(
  video_id: string,
  { minutes = 30, ...fields }: Partial<CatalogVideo> & { readonly minutes?: number } = {},
): CatalogVideo {
  return {
    video_id,
    source_id: null,
    video_source_id: null,
    brand_id: null,
    channel_ids: [],
    series_id: null,
    season_number: null,
    episode_number: null,
    title: video_id,
    keywords: [],
    genres: [],
    audio_language: null,
    country_origin: null,
    content_format: null,
    content_type: null,
    cut: null,
    periodicity: null,
    parental_rating: null,
    duration: Math.round(minutes * 60),
    date_published: null,
    date_available: null,
    date_expired: null,
    date_created: '2026-01-01T00:00:00Z',
    last_updated: '2026-01-01T00:00:00Z',
    status: 'READY',
    duration_ms: minutes * MINUTE_MS,
    ...fields,
  }
}

/** Episodes of a series, all of one season. */
export function aSeries(
  series_id: string,
  episodes: number,
  fields: Partial<CatalogVideo> & { readonly minutes?: number } = {},
): CatalogVideo[] {
  return Array.from({ length: episodes }, (_, at) =>
    aVideo(`${series_id}-${at + 1}`, { series_id, season_number: 1, episode_number: at + 1, ...fields }),
  )
}

export function aCatalog(
  videos: readonly CatalogVideo[],
  playlists: Readonly<Record<string, readonly string[]>> = {},
): CatalogSnapshot {
  const ids = [...new Set(videos.map(({ series_id }) => series_id))].filter((id) => id !== null)
  return {
    videos,
    series: ids.map((series_id) => ({ series_id, title: `Series ${series_id}` })),
    playlists: Object.entries(playlists).map(([playlist_id, video_ids]) => ({ playlist_id, video_ids })),
  }
}
