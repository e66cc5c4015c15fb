import { type AnswerOf, type Operations, operations } from '@continuity/contract'
import type { CatalogEntry, SeriesEntry, VideoEntry } from './catalog-entry.ts'
import type { Client } from './method-types.ts'
import { isProblem } from './problem-error.ts'

export interface ExportOptions {
  /** Brands are exported with the series. Default: all. */
  readonly what?: 'series' | 'videos' | 'all'
  readonly signal?: AbortSignal
}

type Options = { readonly signal: AbortSignal | undefined }
type Series = AnswerOf<Operations['getSeries']>
type Video = AnswerOf<Operations['getVideo']>

/** The maximum: an export reads everything. */
const PAGE_SIZE = 50

/**
 * The catalog of the session's account as entries for `importCatalog`: brands
 * and series come before the entries that refer to them. Entries have every
 * writable field, also if it is null.
 */
export async function* exportCatalog(
  client: Client,
  { what = 'all', signal }: ExportOptions = {},
): AsyncGenerator<CatalogEntry, void, undefined> {
  const call = { signal }
  const query = { page_size: PAGE_SIZE }
  if (what !== 'videos') {
    for await (const brand of client.listBrands.all({ query }, call)) yield { type: 'brand', ...brand }
    for await (const series of client.listSeries.all({ query }, call)) yield seriesEntry(series)
  }
  if (what !== 'series') yield* videoEntries(client, call)
}

/**
 * Sorted by date_created, so that videos created meanwhile come at the end. The
 * list is read twice, in parallel, because the API returns one media address of
 * a video at a time.
 */
async function* videoEntries(client: Client, call: Options): AsyncGenerator<VideoEntry, void, undefined> {
  const query = { sort: 'date_created.ASC', page_size: PAGE_SIZE }
  const hlsPages = client.listVideos.pages({ query: { ...query, media_type: 'hls' } }, call)
  const hlsUrls = new Map<string, string | null>()
  for await (const page of client.listVideos.pages({ query: { ...query, media_type: 'mp4' } }, call)) {
    const { value: hlsPage } = await hlsPages.next()
    for (const { video_id, media_url } of hlsPage?.hits ?? []) hlsUrls.set(video_id, media_url)
    for (const video of page.hits) {
      const hlsUrl = hlsUrls.get(video.video_id)
      hlsUrls.delete(video.video_id)
      // If a video was deleted between the two requests, one listing is ahead of the other.
      const known = hlsUrl === undefined ? await findHlsUrl(client, video.video_id, call) : hlsUrl
      if (known !== undefined) yield videoEntry(video, known)
    }
  }
}

/** Undefined if the video was deleted. */
async function findHlsUrl(
  client: Client,
  video_id: string,
  call: Options,
): Promise<string | null | undefined> {
  try {
    return (await client.getVideo({ params: { video_id }, query: { media_type: 'hls' } }, call)).media_url
  } catch (error) {
    if (isProblem(error, 'video.not_found')) return undefined
    throw error
  }
}

function seriesEntry(series: Series): SeriesEntry {
  const fields = pick(series, Object.keys(operations.createSeries.body.properties))
  return { type: 'series', key: series.series_id, ...fields, title: series.title, images: imagesOf(series) }
}

function videoEntry(video: Video, hlsUrl: string | null): VideoEntry {
  const { title, duration, status, media_url, series_id } = video
  const { series_id: _, ...fields } = pick(video, Object.keys(operations.createVideo.body.properties))
  return {
    type: 'video',
    series_key: series_id,
    ...fields,
    title,
    duration,
    images: imagesOf(video),
    hls_url: hlsUrl,
    mp4_url: media_url,
    // Clients cannot set the other states; such a video is imported as a draft.
    status: status === 'READY' || status === 'DISABLED' ? status : 'DRAFT',
  }
}

/** Images with their writable fields. */
const imagesOf = ({ images }: Pick<Video, 'images'>) =>
  images.map(({ width, height, image_type, original_image_url }) => ({
    width,
    height,
    image_type,
    original_image_url,
  }))

function pick(record: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => field in record).map((field) => [field, record[field]]))
}
