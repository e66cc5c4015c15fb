import type { SearchedVideo } from '@continuity/core/search/search-terms'
import { titleOrderOf } from './title-order.ts'
import type { DocumentRecord, RecordImage, VideoMedia, VideoRecord } from './video-record.ts'

/**
 * Prefix of a path in a document; responses replace it with the base address of the
 * media. It cannot occur in user text, because JSON escapes it.
 */
export const MEDIA_BASE = '\u0001'

/** Stored for a record without a time: it sorts first or last. */
export const FIRST_MS = -8_640_000_000_000_000
export const LAST_MS = 8_640_000_000_000_000

/** Stored for an episode or a season without a number: it sorts last. */
export const LAST_NUMBER = 2_147_483_647

/** The record as JSON without its cue points and its closing brace; `withMedia` appends the media. */
export function documentOf(record: DocumentRecord): string {
  const { images, ...rest } = inOrder(record)
  return `${JSON.stringify(rest).slice(0, -1)},"images":[${images.map(printImage).join(',')}]`
}

export function recordOf(document: string): DocumentRecord {
  return JSON.parse(`${document.replaceAll(MEDIA_BASE, String.raw`\u0001`)}}`) as DocumentRecord
}

type Cues = Pick<VideoRecord, 'cue_points_ms' | 'cue_points'>

/** The members that follow the document of a video without cue points. */
export const NO_CUES = '"cue_points_ms":null,"cue_points":[]'

/** The members that follow the document. */
const cuesTextOf = ({ cue_points_ms, cue_points }: Cues): string =>
  JSON.stringify({ cue_points_ms, cue_points }).slice(1, -1)

/** As they are stored: null for none. */
const storedCuesOf = (record: Cues): string | null => {
  const text = cuesTextOf(record)
  return text === NO_CUES ? null : text
}

export const cuesOf = (stored: string | null): Cues => JSON.parse(`{${stored ?? NO_CUES}}`) as Cues

/** A document as it is returned, before its media. */
export const shownDocumentOf = (record: VideoRecord): string => `${documentOf(record)},${cuesTextOf(record)}`

export type MediaType = 'hls' | 'mp4'

/** The column with the path of such media. */
export const mediaColumn = (mediaType: MediaType) => `${mediaType}_path` as const

/** A shown document with its media of the requested type; `withBase` inserts the base address. */
export function withMedia(document: string, mediaType: MediaType, mediaPath: string | null): string {
  const media = mediaPath === null ? 'null' : printAddress(mediaPath)
  return `${document},"media_type":"${mediaType}","media_url":${media}}`
}

/** A record or a page of them as it is returned. */
export const withBase = (text: string, mediaBase: string): string =>
  text.includes(MEDIA_BASE) ? text.replaceAll(MEDIA_BASE, mediaBase) : text

/** The columns that are derived from the document. */
export function columnsOf(record: VideoRecord, { hlsPath, mp4Path }: VideoMedia) {
  return {
    published_ms: timeOf(record.date_published, FIRST_MS),
    available_ms: timeOf(record.date_available, FIRST_MS),
    expired_ms: timeOf(record.date_expired, LAST_MS),
    updated_ms: Date.parse(record.last_updated),
    duration: record.duration,
    season_order: record.season_number ?? LAST_NUMBER,
    episode_order: record.episode_number ?? LAST_NUMBER,
    document: documentOf(record),
    cue_points: storedCuesOf(record),
    hls_path: hlsPath,
    mp4_path: mp4Path,
    status: record.status,
    title: record.title,
    title_order: titleOrderOf(record.title),
    source_id: record.source_id,
    video_source_id: record.video_source_id,
    brand_id: record.brand_id,
    series_id: record.series_id,
    audio_language: record.audio_language,
    country_origin: record.country_origin,
    content_format: record.content_format,
    content_type: record.content_type,
    cut: record.cut,
    periodicity: record.periodicity,
    parental_rating: record.parental_rating,
    channel_ids: [...record.channel_ids],
    genres: distinct(record.genres.map(({ genre }) => genre)),
    sub_genres: distinct(record.genres.map(({ sub_genre }) => sub_genre)),
    keywords: [...record.keywords],
  }
}

/** The fields of a video that are indexed. */
export function searchedOf(record: VideoRecord, seriesTitle: string): SearchedVideo {
  const { title, keywords, description } = record
  return {
    title,
    keywords,
    seriesTitle,
    description,
    labels: {
      channel_id: record.channel_ids,
      series_id: one(record.series_id),
      brand_id: one(record.brand_id),
      source_id: one(record.source_id),
      status: [record.status],
      audio_language: one(record.audio_language),
      country_origin: one(record.country_origin),
      content_format: one(record.content_format),
      content_type: one(record.content_type),
      cut: one(record.cut),
      periodicity: one(record.periodicity),
      parental_rating: one(record.parental_rating),
      genre: distinct(record.genres.map(({ genre }) => genre)),
      sub_genre: distinct(record.genres.map(({ sub_genre }) => sub_genre)),
    },
  }
}

/** The fields in the order of the contract. */
const inOrder = (record: DocumentRecord): DocumentRecord => ({
  video_id: record.video_id,
  source_id: record.source_id,
  video_source_id: record.video_source_id,
  brand_id: record.brand_id,
  channel_id: record.channel_id,
  channel_ids: record.channel_ids,
  series_id: record.series_id,
  season_number: record.season_number,
  episode_number: record.episode_number,
  title: record.title,
  description: record.description,
  keywords: record.keywords,
  genres: record.genres,
  audio_language: record.audio_language,
  country_origin: record.country_origin,
  content_format: record.content_format,
  content_type: record.content_type,
  cut: record.cut,
  periodicity: record.periodicity,
  parental_rating: record.parental_rating,
  duration: record.duration,
  date_published: record.date_published,
  date_available: record.date_available,
  date_expired: record.date_expired,
  date_created: record.date_created,
  last_updated: record.last_updated,
  status: record.status,
  images: record.images,
})

function printImage({ image_url, ...rest }: RecordImage): string {
  return `${JSON.stringify(rest).slice(0, -1)},"image_url":${printAddress(image_url)}}`
}

const printAddress = (path: string) =>
  path.startsWith(MEDIA_BASE)
    ? `"${MEDIA_BASE}${JSON.stringify(path.slice(1)).slice(1)}`
    : JSON.stringify(path)

const timeOf = (date: string | null, none: number) => (date === null ? none : Date.parse(date))
const one = (value: string | null) => (value === null ? [] : [value])
/** Without empty values. */
const distinct = (values: readonly string[]) => [...new Set(values)].filter((value) => value !== '')
