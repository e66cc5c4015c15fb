import { Type } from 'typebox'
import { Image, ImageDraft } from './image.ts'
import { countedPageOf, pageOf } from './page.ts'
import { address, count, id, label, partnerId, seconds, text, timestamp, title } from './scalars.ts'
import { changeOf, defaulted, named, nullable, oneOf, optional, shape } from './shape.ts'

export const recordStatuses = ['DRAFT', 'PROCESSING', 'READY', 'DISABLED', 'ERROR'] as const
const RecordStatus = named('RecordStatus', oneOf(recordStatuses))

export const Genre = named(
  'Genre',
  shape({ genre: label('Genre.'), sub_genre: label('Sub-genre, or empty.') }),
)

/** Of one video. Ingest, which gets them as one text, keeps as many and leaves out the rest. */
export const KEYWORDS_MAXIMUM = 200
export const KEYWORD_LENGTH = 255

/** The fields of a video that a partner or an editor sets. */
const videoFields = {
  source_id: nullable(partnerId('The partner that sent it.')),
  video_source_id: nullable(partnerId("The partner's id of it.")),
  brand_id: nullable(partnerId('Brand.')),
  series_id: nullable(id('Series.')),
  season_number: nullable(Type.Integer({ minimum: 0, maximum: 100_000 })),
  episode_number: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  title: title('Title.'),
  description: text('Description, or empty.'),
  keywords: Type.Array(Type.String({ minLength: 1, maxLength: KEYWORD_LENGTH }), {
    maxItems: KEYWORDS_MAXIMUM,
  }),
  genres: Type.Array(Genre, { maxItems: 50 }),
  audio_language: nullable(label('Language code.')),
  country_origin: nullable(label('Country code.')),
  content_format: nullable(label('Kept as sent.')),
  content_type: nullable(label('Kept as sent.')),
  cut: nullable(label('Kept as sent.')),
  periodicity: nullable(label('Kept as sent.')),
  parental_rating: nullable(label('Kept as sent.')),
  duration: seconds('Length.'),
  date_published: nullable(timestamp('When it was published.')),
  date_available: nullable(timestamp('From when on it may be seen; null for always.')),
  date_expired: nullable(timestamp('When it stops being available; null for never.')),
  cue_points_ms: nullable(
    Type.Array(Type.Integer({ minimum: 0, maximum: 86_400_000 }), {
      maxItems: 100,
      description:
        'Where breaks cut it, as given by editors: at least 10,000 ms apart and from the start. Null for the chapters of ' +
        'its file; empty for none.',
    }),
  ),
}

const CuePoint = named(
  'CuePoint',
  shape({
    at_ms: Type.Integer({ description: 'From the start of the video.' }),
    origin: oneOf(['GIVEN', 'CHAPTER', 'PROPOSED'], {
      description:
        'GIVEN in cue_points_ms; a CHAPTER of its file, if none are given; PROPOSED where picture and sound pause, which ' +
        'is never cut at.',
    }),
    offset_ms: nullable(
      Type.Integer({
        description:
          'How much later the nearest boundary of its package is, where a cut is made; negative if it is earlier. At most ' +
          'half a frame once it is packaged with this cue point. Null without a package.',
      }),
    ),
  }),
)

export const Video = named(
  'Video',
  shape({
    video_id: id('Id of the video.'),
    ...videoFields,
    channel_id: nullable(id('Channel of its first ingest.')),
    channel_ids: Type.Array(id('A channel that it was ingested for.'), { description: 'All of them.' }),
    date_created: timestamp('When the record was made.'),
    last_updated: timestamp('When the record changed last.'),
    status: RecordStatus,
    images: Type.Array(Image),
    cue_points: Type.Array(CuePoint, { description: 'In order.' }),
    media_type: oneOf(['hls', 'mp4'], { description: 'What media_url leads to.' }),
    media_url: nullable(Type.String({ description: 'Null until the media is ready.' })),
  }),
)

export const Series = named(
  'Series',
  shape({
    series_id: id('Id of the series.'),
    title: title('Title.'),
    description: text('Description, or empty.'),
    brand_id: nullable(partnerId('Brand.')),
    images: Type.Array(Image),
    season_count: count('Seasons that have a video.'),
    video_count: count('Videos in it.'),
    date_created: timestamp('When the record was made.'),
    last_updated: timestamp('When the record changed last.'),
    status: RecordStatus,
  }),
)

export const Playlist = named(
  'Playlist',
  shape({
    playlist_id: id('Id of the playlist.'),
    title: title('Title.'),
    description: text('Description, or empty.'),
    images: Type.Array(Image),
    video_count: count('Videos in it.'),
    date_created: timestamp('When the record was made.'),
    last_updated: timestamp('When the record changed last.'),
    status: RecordStatus,
  }),
)

export const Brand = named(
  'Brand',
  shape({ brand_id: partnerId("The partner's id of it."), name: title('Name.') }),
)

export const VideoPage = countedPageOf('VideoPage', Video)
export const SeriesPage = countedPageOf('SeriesPage', Series)
export const PlaylistPage = countedPageOf('PlaylistPage', Playlist)
export const BrandPage = pageOf('BrandPage', Brand)

/** `h264` is another spelling of `mp4` that clients in the field send. */
export const mediaType = {
  media_type: defaulted(oneOf(['hls', 'mp4', 'h264'], { description: 'What media_url leads to.' }), 'mp4'),
}

/** Writes: what may be given, by kind of record. The server makes ids, counts and dates. */
const images = Type.Array(ImageDraft, { maxItems: 20 })
const seriesFields = {
  title: title('Title.'),
  description: text('Description.'),
  brand_id: nullable(partnerId('Brand.')),
  images,
  status: oneOf(['READY', 'DISABLED']),
}
const playlistFields = {
  title: title('Title.'),
  description: text('Description.'),
  images,
  status: oneOf(['READY', 'DISABLED']),
}
const writableVideoFields = {
  ...videoFields,
  images,
  hls_url: nullable(address('HLS media stored elsewhere: the media_url for `hls`.')),
  mp4_url: nullable(address('MP4 media stored elsewhere: the media_url for `mp4`.')),
  status: oneOf(['DRAFT', 'READY', 'DISABLED']),
}
const brandFields = { name: title('Name.') }

export const SeriesDraft = named(
  'SeriesDraft',
  shape({ ...optional(seriesFields), title: seriesFields.title }),
)
export const SeriesChange = named('SeriesChange', changeOf(seriesFields))
export const PlaylistDraft = named(
  'PlaylistDraft',
  shape({ ...optional(playlistFields), title: playlistFields.title }),
)
export const PlaylistChange = named('PlaylistChange', changeOf(playlistFields))
export const VideoDraft = named(
  'VideoDraft',
  shape({ ...optional(writableVideoFields), title: videoFields.title, duration: videoFields.duration }),
)
export const VideoChange = named('VideoChange', changeOf(writableVideoFields))
export const BrandDraft = named(
  'BrandDraft',
  shape({ brand_id: partnerId("The partner's id of it."), ...brandFields }),
)
export const BrandChange = named('BrandChange', changeOf(brandFields))
export const PlaylistVideos = named(
  'PlaylistVideos',
  shape({
    video_ids: Type.Array(id('A video.'), {
      maxItems: 5_000,
      uniqueItems: true,
      description: 'In the order to be kept.',
    }),
  }),
)
