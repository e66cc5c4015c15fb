/** Values that appear in more than one example. A test checks every example against its schema. */
const at = '2026-03-01T18:00:00.000Z'

export const ids = {
  channel: '0195c1de-6f00-7a10-8000-00000000c001',
  video: '0195c1de-6f00-7a10-8000-00000000d001',
  series: '0195c1de-6f00-7a10-8000-00000000e001',
  playlist: '0195c1de-6f00-7a10-8000-00000000f001',
  source: '0195c1de-6f00-7a10-8000-00000000a001',
  request: '0195c1de-6f00-7a10-8000-00000000b001',
  program: '0195c1de-6f00-7a10-8000-000000009001',
  account: '0195c1de-6f00-7a10-8000-000000008001',
  user: '0195c1de-6f00-7a10-8000-000000007001',
  appKey: '0195c1de-6f00-7a10-8000-000000001001',
} as const

export const exampleSession = (roles: readonly string[]) => ({
  country: 'DE',
  user_agent: 'north-tv/4.2',
  device_id: '0195c1de-6f00-7a10-8000-000000006001',
  token: { token_access: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln', token_refresh: 'r_9b1deb4d', roles },
})

export const exampleUser = {
  user_id: ids.user,
  email: 'duty@north.example',
  name: 'Night desk',
  roles: ['ROLE_USER', 'ROLE_OPERATOR'],
  status: 'ACTIVE',
  created_date: at,
  last_updated: at,
  last_login: at,
}

export const exampleAppKey = {
  app_key_id: ids.appKey,
  app_name: 'north-tv',
  status: 'ACTIVE',
  created_date: at,
  last_used: at,
}

export const exampleAccount = {
  account_id: ids.account,
  account_name: 'north',
  title: 'North Television',
  country: 'DE',
  frame_rate: 25,
  segment_ms: 3_200,
  loudness_lufs: -23,
  is_format_frozen: true,
  created_date: at,
  last_updated: at,
}

const exampleImage = {
  width: 640,
  height: 360,
  image_type: 'THUMBNAIL',
  original_image_url: 'https://partner.example/harbour.jpg',
  image_url: 'https://media.example/i/harbour-640.jpg',
}

export const exampleLabels = {
  genres: [{ genre: 'Drama', sub_genre: 'Crime' }],
  audio_language: 'en',
  country_origin: 'GB',
  content_format: 'LONG_FORM',
  content_type: 'EPISODE',
  cut: 'TV',
  periodicity: 'WEEKLY',
  parental_rating: 'TV-PG',
}

export const exampleVideo = {
  video_id: ids.video,
  source_id: 'north-automation',
  video_source_id: 'HN-0412',
  brand_id: 'north',
  channel_id: ids.channel,
  channel_ids: [ids.channel],
  series_id: ids.series,
  season_number: 4,
  episode_number: 12,
  title: 'Harbour Nights: The Tide Table',
  description: 'A ferry is late, and no one knows why.',
  keywords: ['harbour', 'ferry'],
  ...exampleLabels,
  duration: 1_440,
  date_published: at,
  date_available: null,
  date_expired: null,
  date_created: at,
  last_updated: at,
  status: 'READY',
  images: [exampleImage],
  cue_points_ms: [482_000, 951_500],
  cue_points: [
    { at_ms: 482_000, origin: 'GIVEN', offset_ms: 0 },
    { at_ms: 716_400, origin: 'PROPOSED', offset_ms: 1_200 },
    { at_ms: 951_500, origin: 'GIVEN', offset_ms: 0 },
  ],
  media_type: 'mp4',
  media_url: 'https://media.example/v/tide-table.mp4',
}

export const exampleSeries = {
  series_id: ids.series,
  title: 'Harbour Nights',
  description: 'A port that never sleeps.',
  brand_id: 'north',
  images: [exampleImage],
  season_count: 4,
  video_count: 48,
  date_created: at,
  last_updated: at,
  status: 'READY',
}

export const examplePlaylist = {
  playlist_id: ids.playlist,
  title: 'Night trains',
  description: '',
  images: [],
  video_count: 12,
  date_created: at,
  last_updated: at,
  status: 'READY',
}

export const exampleBrand = { brand_id: 'north', name: 'North Television' }

export const pageExample = (hit: unknown, mark: string | null = null) => ({
  hits: [hit],
  page: { page_id: null, page_size: '30', page_mark: mark, page_offset: '0' },
  total: 1,
})

export const exampleProgram = {
  program_id: ids.program,
  title: 'Harbour Nights',
  description: 'A port that never sleeps.',
  start_time: at,
  end_time: '2026-03-01T18:30:00.000Z',
  state: 'COMMITTED',
  origin: { type: 'REQUEST', id: ids.request },
  reason: null,
  warnings: [],
  components: [
    {
      type: 'VIDEO',
      title: 'The Tide Table',
      reference_id: ids.video,
      start_time: at,
      end_time: '2026-03-01T18:24:00.000Z',
    },
  ],
  items: [{ video_id: ids.video }],
}

export const exampleChannel = {
  title: 'North One',
  description: 'Drama around the clock.',
  internal_title: 'north-one-main',
  status: 'ON_AIR',
  linear_channel_id: ids.channel,
  linear_channel_override_status: 'SCHEDULED',
}

export const exampleChannelDetail = {
  ...exampleChannel,
  rescue_slate_video_id: null,
  time_fill_video_id: null,
  ad_slate_video_id: null,
  filler_playlist_id: ids.playlist,
  filler_title: 'Music and views',
  created_date: at,
  last_updated: at,
}

export const exampleOutput = {
  distributor: 'direct',
  key: null,
  window_ms: 32_000,
  markers: 'BOTH',
  break_policy: 'ACTUAL',
  audience_source: 'NODES',
  delay_ms: 0,
}

export const exampleLiveSource = {
  live_source_id: ids.source,
  name: 'Harbour camera',
  description: '',
  status: 'ACTIVE',
  status_detail: null,
  type: 'HLS_PULL',
  metadata: { type: 'HLS_PULL', input_url: 'https://live.example/harbour/index.m3u8', scte_35_source: '' },
  feature: {
    always_keep_receiver_active: false,
    enable_redundancy: false,
    redundancy_source: '',
    enable_audio_normalization: true,
    audio_algorithm: 'EBU_R128',
    enable_auto_live_switch_on_signal: false,
  },
  preview: null,
  ad_slate: '',
  enable_relative_start_for_countdown: false,
  auto_switch_channel_ids: [],
  account_id: ids.account,
  created_date: at,
  created_user_id: ids.user,
  last_updated: at,
  last_modified_user_id: ids.user,
}

export const exampleLiveSourceDetail = { ...exampleLiveSource, images: [exampleImage] }
