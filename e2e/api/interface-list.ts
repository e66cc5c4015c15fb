/*
 * Every operation of the interface, with its parameters, bodies and answers; our own operations are not listed.
 *
 * Written by hand from the interface as received, and from what was decided where it
 * is silent. It is the yardstick for the OpenAPI documents and is never made from them
 * or from the code: a field lost there must still be found here.
 */

/**
 * One field's type: 'string' 'integer' 'number' 'boolean' 'object' 'array', or several
 * joined by '|' in alphabetical order, e.g. 'null|string'. Keys are dotted paths, with
 * '[]' for the items of an array: 'hits[].title', and '[].title' where the root is one.
 */
export type FieldTypes = Record<string, string>

/** Fields as `path type`, separated by commas. */
function fields(text: string): FieldTypes {
  return Object.fromEntries(text.split(',').map((pair) => pair.trim().split(/ +/) as [string, string]))
}

export interface ListedParameter {
  readonly type: string
  readonly required?: true
  readonly default?: string | number | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly values?: readonly string[]
}

export interface ListedOperation {
  readonly version: '2.1' | '2.3'
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the interface writes it, without the prefix. */
  readonly path: string
  /** Other paths of the same operation. */
  readonly aliases?: readonly string[]
  /** 'any' is any valid credential; else the roles of which one is needed, in alphabetical order. */
  readonly access: 'public' | 'any' | readonly string[]
  readonly query: Record<string, ListedParameter>
  /** `required` holds for fields whose parent is present. */
  readonly body?: { readonly required: readonly string[]; readonly fields: FieldTypes }
  readonly answer: { readonly status: number; readonly fields: FieldTypes }
}

// Who may call.

const ingesters = ['ROLE_ADMIN', 'SCHEDULE']
const operators = ['ROLE_ADMIN', 'ROLE_OPERATOR']
const channelReaders = ['ROLE_ADMIN', 'ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE']
const reporters = ['SCHEDULE']

// Query parameters.

const mediaType: Record<string, ListedParameter> = {
  media_type: { type: 'string', default: 'mp4', values: ['hls', 'mp4', 'h264'] },
}

const catalogPaging: Record<string, ListedParameter> = {
  page_size: { type: 'integer', default: 30, minimum: 1, maximum: 50 },
  page_offset: { type: 'string' },
}

const reportDays: Record<string, ListedParameter> = {
  from: { type: 'string', required: true },
  to: { type: 'string', required: true },
}

// Shapes.

const session: FieldTypes = fields(`
  country string, user_agent string, device_id string, token object, token.token_access string,
  token.token_refresh string, token.roles array, token.roles[] string`)

const imagesFields: FieldTypes = fields(`
  images array, images[] object, images[].width integer, images[].height integer,
  images[].image_type string, images[].image_url string, images[].original_image_url string`)

const seriesFields: FieldTypes = {
  ...fields(`
    series_id string, title string, description string, brand_id null|string, season_count integer,
    video_count integer, date_created string, last_updated string, status string`),
  ...imagesFields,
}

const videoFields: FieldTypes = {
  ...fields(`
    video_id string, source_id null|string, video_source_id null|string, brand_id null|string,
    channel_id null|string, channel_ids array, channel_ids[] string, series_id null|string,
    season_number integer|null, episode_number integer|null, title string, description string,
    keywords array, keywords[] string, genres array, genres[] object, genres[].genre string,
    genres[].sub_genre string, audio_language null|string, country_origin null|string,
    content_format null|string, content_type null|string, cut null|string, periodicity null|string,
    parental_rating null|string, duration integer, date_published null|string, date_available null|string,
    date_expired null|string, date_created string, last_updated string, status string,
    cue_points_ms array|null, cue_points_ms[] integer, cue_points array, cue_points[] object,
    cue_points[].at_ms integer, cue_points[].origin string, cue_points[].offset_ms integer|null,
    media_type string, media_url null|string`),
  ...imagesFields,
}

const playlistFields: FieldTypes = {
  ...fields(`
    playlist_id string, title string, description string, video_count integer, date_created string,
    last_updated string, status string`),
  ...imagesFields,
}

/** A VIDEO item of an ingest, with paths relative to the item. */
export const videoItem: { required: string[]; fields: FieldTypes } = {
  required: ['video_source_id', 'title', 'video_url', 'duration', 'type'],
  fields: fields(`
    video_source_id string, title string, description string, keywords string, date_published string,
    image_url string, video_url string, duration integer, genres array, genres[] object,
    genres[].genre string, genres[].sub_genre string, audio_language string, country_origin string,
    content_format string, content_type string, cut string, periodicity string, parental_rating string,
    type string`),
}

/** An AD_POD item of an ingest, with paths relative to the item. */
export const adPodItem: { required: string[]; fields: FieldTypes } = {
  required: ['duration', 'type'],
  fields: fields('duration integer, type string'),
}

const channelFields: FieldTypes = fields(`
  title string, description string, internal_title string, status string, linear_channel_id string,
  linear_channel_override_status string`)

const returnedItemFields: FieldTypes = fields(`
  status integer, linear_channel_id string, linear_channel_override_status string, on_air_at string,
  code string, message string`)

const overriddenItemFields: FieldTypes = {
  ...fields('title string, description string'),
  ...returnedItemFields,
}

const liveSourceFields: FieldTypes = fields(`
  live_source_id string, name string, description string, status string, status_detail null|object,
  status_detail.code string, status_detail.message string, status_detail.at string, type string,
  metadata object, metadata.type string, metadata.input_url string, metadata.scte_35_source string,
  feature object, feature.always_keep_receiver_active boolean, feature.enable_redundancy boolean,
  feature.redundancy_source string, feature.enable_audio_normalization boolean,
  feature.audio_algorithm string, feature.enable_auto_live_switch_on_signal boolean,
  auto_switch_channel_ids array, auto_switch_channel_ids[] string, preview null|object,
  preview.url string, preview.expires_at string, ad_slate string,
  enable_relative_start_for_countdown boolean, account_id string, created_date string,
  created_user_id string, last_updated string, last_modified_user_id string`)

const adBreakFields: FieldTypes = fields(`
  status_code integer, message string, live_source_id string, duration integer, status string`)

interface Rest extends Partial<Pick<ListedOperation, 'aliases' | 'query' | 'body'>> {
  readonly status?: number
  readonly answer: FieldTypes
}

function operation(
  line: string,
  access: ListedOperation['access'],
  { query = {}, status = 200, answer, ...rest }: Rest,
): ListedOperation {
  const [method, version, path] = line.split(' ') as [
    ListedOperation['method'],
    ListedOperation['version'],
    string,
  ]
  return { version, method, path, access, query, answer: { status, fields: answer }, ...rest }
}

export const interfaceOperations: readonly ListedOperation[] = [
  // Authentication
  operation('POST 2.1 /auth/login', 'public', {
    body: {
      required: ['account_name', 'email', 'password'],
      fields: fields('account_name string, email string, password string'),
    },
    answer: session,
  }),
  operation('POST 2.1 /auth/device', 'public', {
    body: {
      required: ['app_name', 'sdk_key'],
      fields: fields('app_name string, sdk_key string'),
    },
    answer: session,
  }),
  operation('POST 2.1 /auth/refresh', 'public', {
    body: {
      required: ['token_refresh'],
      fields: fields('token_refresh string'),
    },
    answer: session,
  }),

  // Catalog
  operation('GET 2.1 /series', 'any', {
    query: { sort: { type: 'string', default: 'title.ASC' }, ...catalogPaging },
    answer: catalogPageOf(seriesFields),
  }),
  operation('GET 2.1 /series/{series_id}', 'any', { answer: seriesFields }),
  operation('GET 2.1 /videos', 'any', {
    query: { ...mediaType, sort: { type: 'string', default: 'date_published.DESC' }, ...catalogPaging },
    answer: catalogPageOf(videoFields),
  }),
  operation('GET 2.1 /videos/{video_id}', 'any', { query: mediaType, answer: videoFields }),
  operation('GET 2.1 /series/{series_id}/videos', 'any', {
    query: {
      ...mediaType,
      episode: { type: 'integer', minimum: 0, maximum: 1_000_000 },
      sort: { type: 'string', default: 'episode_number.ASC' },
      ...catalogPaging,
    },
    answer: catalogPageOf(videoFields),
  }),
  operation('POST 2.1 /search/videos', 'any', {
    query: { ...mediaType, ...catalogPaging },
    body: {
      required: ['sort.field'],
      fields: fields(`
        query string, fields array, fields[] string, filter object, sort object, sort.field string,
        sort.order string`),
    },
    answer: catalogPageOf(videoFields),
  }),
  operation('GET 2.1 /playlists', 'any', { query: catalogPaging, answer: catalogPageOf(playlistFields) }),
  operation('GET 2.1 /playlists/{playlist_id}', 'any', { answer: playlistFields }),
  operation('GET 2.1 /playlists/{playlist_id}/videos', 'any', {
    query: { ...mediaType, ...catalogPaging },
    answer: catalogPageOf(videoFields),
  }),

  // Ingest
  operation('POST 2.1 /automation/schedule', ingesters, {
    body: {
      required: [
        'linear_channel_id',
        'source_id',
        'program_title',
        'videos',
        'videos[].duration',
        'videos[].type',
        'schedule',
        'schedule.start_time',
        'schedule.duration_ms',
      ],
      fields: {
        linear_channel_id: 'string',
        source_id: 'string',
        brand_id: 'string',
        program_title: 'string',
        program_description: 'string',
        videos: 'array',
        ...itemsOf('videos', { ...videoItem.fields, ...adPodItem.fields }),
        schedule: 'object',
        'schedule.start_time': 'string',
        'schedule.duration_ms': 'integer',
      },
    },
    status: 202,
    answer: fields('request_id string, message string'),
  }),

  // Reports. Time that no program covers has null in the program's columns, and a component
  // without a video has null in the video's; a column has the same type in every report.
  operation('GET 2.3 /reports/analytics', reporters, {
    query: {
      ...reportDays,
      time_frame: { type: 'string', default: 'hour', values: ['hour', 'minute'] },
      include_countries: { type: 'boolean', default: false },
    },
    answer: reportOf(
      fields(`
          timestamp string, linear_channel_id string, linear_channel_name string, distributor string,
          brand_name null|string, series_name null|string, video_id null|string, video_title null|string,
          video_description null|string, external_video_id null|string, minutes_watched number, country string`),
    ),
  }),
  operation('GET 2.3 /reports/analytics/interstitials', reporters, {
    query: reportDays,
    answer: reportOf(
      fields(`
          timestamp string, component_reference_id null|string, component_title null|string,
          program_id null|string, program_title null|string, distributor string, minutes_watched number`),
    ),
  }),
  operation('GET 2.3 /reports/program/schedules', reporters, {
    query: reportDays,
    answer: reportOf(
      fields(`
          linear_channel_id string, linear_channel_name string, program_start_time null|string,
          program_end_time null|string, program_duration null|number, program_id null|string,
          program_title null|string, program_description null|string, series_name null|string,
          season_number integer|null, episode_number integer|null, video_id null|string`),
    ),
  }),
  operation('GET 2.3 /reports/component/schedules', reporters, {
    // The third is ours.
    query: { ...reportDays, component_reference_id: { type: 'string' } },
    answer: reportOf(
      fields(`
          linear_channel_id string, linear_channel_name string, program_start_time null|string,
          program_end_time null|string, program_duration null|number, program_id null|string,
          program_title null|string, component_type string, component_start_time string,
          component_duration number, component_reference_id null|string, component_title null|string,
          series_name null|string, season_number integer|null, episode_number integer|null`),
    ),
  }),
  operation('GET 2.3 /reports/analytics/channels', reporters, {
    query: reportDays,
    answer: reportOf(
      fields(`
          timestamp string, linear_channel_name string, distributor string, channel_starts integer`),
    ),
  }),

  // Linear channels and live sources
  operation('GET 2.3 /linear_channels', channelReaders, {
    query: {
      status: {
        type: 'string',
        default: 'ALL',
        values: ['OFFLINE', 'PENDING_ON_AIR', 'ON_AIR', 'PENDING_OFFLINE', 'ERROR', 'ALL'],
      },
      sort: { type: 'string', default: 'lastModifiedDate.desc' },
      linear_channel_name: { type: 'string' },
    },
    answer: itemsOf('', channelFields),
  }),
  operation('GET 2.3 /live_sources', channelReaders, {
    aliases: ['/live_sources/list'],
    query: {
      status: {
        type: 'string',
        default: 'ALL',
        values: ['IDLE', 'PROCESSING', 'ACTIVE', 'ERROR', 'ALL'],
      },
      source_type: { type: 'string', default: 'ALL', values: ['HLS_PULL', 'ALL'] },
      page_size: { type: 'integer', default: 30, minimum: 1, maximum: 50 },
      page_offset: { type: 'integer', default: 0, minimum: 0 },
    },
    answer: pageOf(liveSourceFields),
  }),
  operation('GET 2.3 /live_sources/{live_source_id}', channelReaders, {
    answer: { ...liveSourceFields, ...imagesFields },
  }),
  operation('PUT 2.3 /live_sources/{live_source_id}/activate', operators, { answer: liveSourceFields }),
  operation('PUT 2.3 /live_sources/{live_source_id}/deactivate', operators, { answer: liveSourceFields }),
  operation('POST 2.3 /linear_channels/override/{live_source_id}', operators, {
    body: {
      required: ['[].linear_channel_id'],
      fields: itemsOf('', fields('title string, description string, linear_channel_id string')),
    },
    answer: itemsOf('', overriddenItemFields),
  }),
  operation('POST 2.3 /linear_channels/override/rescue_slate', operators, {
    body: {
      required: ['[].linear_channel_id'],
      fields: itemsOf('', fields('linear_channel_id string')),
    },
    answer: itemsOf('', overriddenItemFields),
  }),
  operation('POST 2.3 /linear_channels/return_to_schedule', operators, {
    body: {
      required: ['[].linear_channel_id'],
      fields: itemsOf('', fields('linear_channel_id string')),
    },
    answer: itemsOf('', returnedItemFields),
  }),
  operation('POST 2.3 /live_sources/{live_source_id}/adbreak/insert', operators, {
    body: { required: ['duration'], fields: fields('duration integer') },
    answer: adBreakFields,
  }),
  operation('POST 2.3 /live_sources/{live_source_id}/adbreak/end', operators, { answer: adBreakFields }),
]

/** The catalog's page adds ours: `total_relation`, present only where the total was counted and cut off. */
function catalogPageOf(record: FieldTypes): FieldTypes {
  return { ...pageOf(record), total_relation: 'string' }
}

function pageOf(record: FieldTypes): FieldTypes {
  return {
    hits: 'array',
    ...itemsOf('hits', record),
    page: 'object',
    'page.page_id': 'null|string',
    'page.page_size': 'string',
    'page.page_mark': 'null|string',
    'page.page_offset': 'string',
    total: 'integer',
  }
}

function reportOf(row: FieldTypes): FieldTypes {
  return { from: 'string', to: 'string', rows: 'array', ...itemsOf('rows', row) }
}

/** The paths of an array's items; the array's own path is '' where it is the root. */
function itemsOf(array: string, item: FieldTypes): FieldTypes {
  const fields: FieldTypes = { [`${array}[]`]: 'object' }
  for (const [path, type] of Object.entries(item)) fields[`${array}[].${path}`] = type
  return fields
}

// Closed sets of values and bounds, by component of the documents and field.

export const closedSets: Readonly<Record<string, readonly (string | number)[]>> = {
  ChannelStatus: ['ERROR', 'OFFLINE', 'ON_AIR', 'PENDING_OFFLINE', 'PENDING_ON_AIR'],
  OverrideStatus: ['NOT_STARTED', 'OVERRIDDEN', 'SCHEDULED'],
  LiveSourceStatus: ['ACTIVE', 'ERROR', 'IDLE', 'PROCESSING'],
  RecordStatus: ['DISABLED', 'DRAFT', 'ERROR', 'PROCESSING', 'READY'],
  'Image.image_type': ['LOGO', 'POSTER', 'THUMBNAIL'],
  'Video.media_type': ['hls', 'mp4'],
  'VideoPage.total_relation': ['eq', 'gte'],
  'LiveSource.metadata.scte_35_source': ['', 'API', 'MANIFEST', 'NONE'],
  'LiveSource.feature.audio_algorithm': ['', 'ATSC_A85', 'EBU_R128'],
  'IngestStatus.state': ['CANCELLED', 'FAILED', 'PROCESSING', 'QUEUED', 'REPLACED', 'SCHEDULED'],
  'SearchBody.fields[]': ['description', 'keywords', 'series_title', 'title'],
  'SearchBody.sort.field': [
    'date_available',
    'date_created',
    'date_expired',
    'date_published',
    'duration',
    'last_updated',
    'title',
  ],
  'ComponentScheduleReportRow.component_type': [
    'AD_POD',
    'INTERSTITIAL',
    'LIVE',
    'SLATE',
    'TIME_FILL',
    'VIDEO',
  ],
}

export const bounds: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'AdBreakInsert.duration': { minimum: 1, maximum: 600 },
  'IngestRequest.videos': { minItems: 1, maxItems: 1_000 },
  'VideoItem.content_format': { maxLength: 64 },
  'VideoItem.content_type': { maxLength: 64 },
  'VideoItem.cut': { maxLength: 64 },
  'VideoItem.periodicity': { maxLength: 64 },
  'VideoItem.parental_rating': { maxLength: 64 },
  'SearchFilter.and': { maxItems: 100 },
  'SearchFilter.in.*': { maxItems: 500 },
}

/** Items of the bulk calls, by operation. */
export const bulkMaximum: Readonly<Record<string, number>> = {
  '/linear_channels/override/{live_source_id}': 500,
  '/linear_channels/override/rescue_slate': 500,
  '/linear_channels/return_to_schedule': 500,
}
