import type { CuePoint } from '@continuity/core/media/video-cue-points'

export type VideoStatus = 'DRAFT' | 'PROCESSING' | 'READY' | 'DISABLED' | 'ERROR'

export interface RecordImage {
  readonly width: number
  readonly height: number
  readonly image_type: 'THUMBNAIL' | 'POSTER' | 'LOGO'
  readonly original_image_url: string
  /** An address, or a path below the media's base address, which then begins with `MEDIA_BASE`. */
  readonly image_url: string
}

/** An image as it is written. */
export type ImageDraft = Omit<RecordImage, 'image_url'>

/** Until there is a copy, `image_url` is the original address. */
export const imagesOf = (drafts: readonly ImageDraft[]): RecordImage[] =>
  drafts.map(({ width, height, image_type, original_image_url }) => ({
    width,
    height,
    image_type,
    original_image_url,
    image_url: original_image_url,
  }))

/**
 * A video as on the wire, without its media. The wire names are used because the
 * finished document is stored; the other columns are projections of it.
 */
export interface VideoRecord {
  readonly video_id: string
  readonly source_id: string | null
  readonly video_source_id: string | null
  readonly brand_id: string | null
  readonly channel_id: string | null
  readonly channel_ids: readonly string[]
  readonly series_id: string | null
  readonly season_number: number | null
  readonly episode_number: number | null
  readonly title: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly genres: readonly { readonly genre: string; readonly sub_genre: string }[]
  readonly audio_language: string | null
  readonly country_origin: string | null
  readonly content_format: string | null
  readonly content_type: string | null
  readonly cut: string | null
  readonly periodicity: string | null
  readonly parental_rating: string | null
  readonly duration: number
  readonly date_published: string | null
  readonly date_available: string | null
  readonly date_expired: string | null
  readonly date_created: string
  readonly last_updated: string
  readonly status: VideoStatus
  readonly images: readonly RecordImage[]
  /** Given by editors; null for the chapters of the file. */
  readonly cue_points_ms: readonly number[] | null
  readonly cue_points: readonly CuePoint[]
}

/** What is in the stored document. Cue points have a column of their own. */
export type DocumentRecord = Omit<VideoRecord, 'cue_points_ms' | 'cue_points'>

/** The media of a video: addresses, or paths that begin with `MEDIA_BASE`. */
export interface VideoMedia {
  readonly hlsPath: string | null
  readonly mp4Path: string | null
}

/** The fields of a video that a write may set. */
export type VideoFields = Omit<
  VideoRecord,
  'video_id' | 'channel_id' | 'channel_ids' | 'date_created' | 'last_updated'
> &
  VideoMedia

export type VideoDraft = Partial<VideoFields> & Pick<VideoFields, 'title' | 'duration'>

const defaults = {
  source_id: null,
  video_source_id: null,
  brand_id: null,
  series_id: null,
  season_number: null,
  episode_number: null,
  description: '',
  keywords: [],
  genres: [],
  audio_language: null,
  country_origin: null,
  content_format: null,
  content_type: null,
  cut: null,
  periodicity: null,
  parental_rating: null,
  date_published: null,
  date_available: null,
  date_expired: null,
  status: 'DRAFT',
  images: [],
  cue_points_ms: null,
  cue_points: [],
  hlsPath: null,
  mp4Path: null,
} as const satisfies Omit<VideoFields, 'title' | 'duration'>

/** A draft with defaults for the omitted fields. The default status is DRAFT. */
export const fillVideo = (draft: VideoDraft): VideoFields => ({ ...defaults, ...draft })
