import { type AnswerOf, type Operations, operations } from '@continuity/contract'
import type { CatalogEntry, SeriesEntry, VideoEntry } from './catalog-entry.ts'
import type { Client } from './method-types.ts'
import { isProblem } from './problem-error.ts'

export interface ExportOptions {
  /** Brands come with the series. All where it is left out. */
  readonly what?: 'series' | 'videos' | 'all'
  readonly signal?: AbortSignal
}

type Options = { readonly signal: AbortSignal | undefined }
type Series = AnswerOf<Operations['getSeries']>
type Video = AnswerOf<Operations['getVideo']>

/** The largest page there is: an export reads everything. */
const PAGE_SIZE = 50

/**
 * The catalog of the session's account as entries that `importCatalog` takes:
 * what is named comes before what names it. Every field that can be written is
 * in them, also where it is null.
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
 * By date_created, so that videos made meanwhile come at the end. The list is
 * walked twice, side by side, because a video tells one of its media addresses
 * at a time.
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
      // Where something was deleted between the two, one walk is ahead of the other.
      const known = hlsUrl === undefined ? await findHlsUrl(client, video.video_id, call) : hlsUrl
      if (known !== undefined) yield videoEntry(video, known)
    }
  }
}

/** Undefined where the video is gone. */
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
    // The other states are the service's to reach; such a video begins again as a draft.
    status: status === 'READY' || status === 'DISABLED' ? status : 'DRAFT',
  }
}

/** An image as writes name it. */
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
