import { type Static, Type } from 'typebox'
import { Genre } from './catalog.ts'
import { address, id, label, partnerId, seconds, text, timestamp, title } from './scalars.ts'
import { named, nullable, oneOf, optional, shape } from './shape.ts'

/** Partners leave one or the other out. */
const GenreSent = named('GenreSent', shape(optional(Genre.properties)))

/** Unknown fields of a VIDEO item are kept and reported as a warning, so it stays open. */
export const VideoItem = named(
  'VideoItem',
  Type.Object({
    type: Type.Literal('VIDEO'),
    video_source_id: partnerId("The partner's id of the video."),
    title: title('Title.'),
    description: Type.Optional(text('Description.')),
    keywords: Type.Optional(Type.String({ maxLength: 10_000, description: 'Comma-separated words.' })),
    date_published: Type.Optional(timestamp('When it was published.')),
    image_url: Type.Optional(address('A thumbnail.')),
    video_url: address('The media file.'),
    duration: seconds('Length.', { minimum: 1 }),
    genres: Type.Optional(Type.Array(GenreSent, { maxItems: 50 })),
    audio_language: Type.Optional(label('Language code.')),
    country_origin: Type.Optional(label('Country code.')),
    content_format: Type.Optional(label('Kept as sent.')),
    content_type: Type.Optional(
      label('Kept as sent; INTERSTITIAL, PROMO, BUMPER and TRAILER make the item an interstitial.'),
    ),
    cut: Type.Optional(label('Kept as sent.')),
    periodicity: Type.Optional(label('Kept as sent.')),
    parental_rating: Type.Optional(label('Kept as sent.')),
  }),
)

export const AdPodItem = named(
  'AdPodItem',
  shape({ type: Type.Literal('AD_POD'), duration: seconds('Length.', { minimum: 1 }) }),
)

/** Ajv looks at `type` first, so that a fault is named against the item that was meant. */
const IngestItem = named(
  'IngestItem',
  Type.Unsafe<Static<typeof VideoItem> | Static<typeof AdPodItem>>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: [VideoItem, AdPodItem],
  }),
)

export const INGEST_ITEMS_MAXIMUM = 1_000
export const INGEST_BODY_LIMIT = 5 * 1024 * 1024

export const IngestRequest = named(
  'IngestRequest',
  shape({
    linear_channel_id: id('Channel to play on.'),
    source_id: partnerId('Who sends it.'),
    brand_id: Type.Optional(partnerId('Brand; made when it is new.')),
    program_title: title('Title in the guide and the reports.'),
    program_description: Type.Optional(text('Description in the guide.')),
    videos: Type.Array(IngestItem, {
      minItems: 1,
      maxItems: INGEST_ITEMS_MAXIMUM,
      description: 'In the order of play.',
    }),
    schedule: shape({
      start_time: timestamp('When the program starts; at least 60 s ahead.'),
      duration_ms: Type.Integer({
        minimum: 1_000,
        maximum: 604_800_000,
        description: 'Length of the window in milliseconds.',
      }),
    }),
  }),
)

export const IngestAccepted = named(
  'IngestAccepted',
  shape({ request_id: Type.String(), message: Type.String() }),
)

export const requestStates = ['QUEUED', 'PROCESSING', 'SCHEDULED', 'FAILED', 'REPLACED', 'CANCELLED'] as const
export const itemStates = ['QUEUED', 'FETCHING', 'PACKAGING', 'READY', 'FAILED', 'CANCELLED'] as const

const Reason = shape({ code: Type.String(), message: Type.String() })

export const IngestStatus = named(
  'IngestStatus',
  shape({
    request_id: Type.String(),
    linear_channel_id: Type.String(),
    source_id: Type.String(),
    program_id: nullable(Type.String()),
    program_title: Type.String(),
    state: oneOf(requestStates),
    reason: nullable(Reason),
    warnings: Type.Array(Reason),
    items: Type.Array(
      shape({
        type: oneOf(['VIDEO', 'AD_POD']),
        video_source_id: nullable(Type.String()),
        video_id: nullable(Type.String()),
        state: oneOf(itemStates),
        progress: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the work done.' }),
        reason: nullable(Reason),
      }),
    ),
    created_date: timestamp('When it was accepted.'),
    last_updated: timestamp('When it changed last.'),
  }),
)
