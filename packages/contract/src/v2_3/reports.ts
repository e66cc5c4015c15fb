import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { ids } from '../definition/examples.ts'
import {
  AnalyticsReport,
  ChannelStartsReport,
  ComponentScheduleReport,
  InterstitialsReport,
  ProgramScheduleReport,
  reportDays,
} from '../schemas/report.ts'
import { defaulted, oneOf, optional, shape } from '../schemas/shape.ts'

export const reportMediaTypes = ['application/json', 'text/csv', 'application/x-ndjson'] as const

/** The SCHEDULE role and nothing else in its place. */
const common = {
  version: '2.3',
  method: 'GET',
  group: 'Reports',
  access: ['SCHEDULE'],
  description: 'At most 92 days.',
  errors: { 'report.range_invalid': 400, 'report.too_many': 429 },
} as const

const days = shape(reportDays)
const range = { from: '2026-03-01', to: '2026-03-01' }
const hour = '2026-03-01T18:00:00.000Z'
export const methodsExample = { cmcd_v2: 640.1, cmcd_v1: 0, heartbeat: 172.25 }

export const reportAnalytics = endpoint({
  ...common,
  id: 'reportAnalytics',
  path: '/reports/analytics',
  summary: 'Minutes watched by video',
  description: '92 days at most, or 8 by the minute.',
  query: shape({
    ...reportDays,
    time_frame: defaulted(oneOf(['hour', 'minute'], { description: 'Length of a row.' }), 'hour'),
    include_countries: defaulted(
      Type.Boolean({ description: 'One row a country; without effect when time_frame is minute.' }),
      false,
    ),
  }),
  answer: { status: 200, description: 'The rows.', schema: AnalyticsReport, mediaTypes: reportMediaTypes },
  example: {
    answer: {
      ...range,
      rows: [
        {
          timestamp: hour,
          linear_channel_id: ids.channel,
          linear_channel_name: 'North One',
          distributor: 'direct',
          brand_name: 'North Television',
          series_name: 'Harbour Nights',
          video_id: ids.video,
          video_title: 'Harbour Nights: The Tide Table',
          video_description: 'A ferry is late, and no one knows why.',
          external_video_id: 'HN-0412',
          minutes_watched: 812.35,
        },
      ],
    },
  },
})

export const reportInterstitials = endpoint({
  ...common,
  id: 'reportInterstitials',
  path: '/reports/analytics/interstitials',
  summary: 'Minutes watched by interstitial',
  query: days,
  answer: {
    status: 200,
    description: 'The rows.',
    schema: InterstitialsReport,
    mediaTypes: reportMediaTypes,
  },
  example: {
    answer: {
      ...range,
      rows: [
        {
          timestamp: '2026-03-01T00:00:00.000Z',
          component_reference_id: ids.video,
          component_title: 'Tonight on North One',
          program_id: ids.program,
          program_title: 'Harbour Nights',
          distributor: 'direct',
          minutes_watched: 41.2,
        },
      ],
    },
  },
})

const programExample = {
  linear_channel_id: ids.channel,
  linear_channel_name: 'North One',
  program_start_time: '2026-03-01T20:00:00.000Z',
  program_end_time: '2026-03-01T20:30:00.000Z',
  program_duration: 1_800,
  program_id: ids.program,
  program_title: 'Harbour Nights',
}
const episodeExample = { series_name: 'Harbour Nights', season_number: 4, episode_number: 12 }

export const reportProgramSchedules = endpoint({
  ...common,
  id: 'reportProgramSchedules',
  path: '/reports/program/schedules',
  summary: 'Programs that aired or are planned',
  query: days,
  answer: {
    status: 200,
    description: 'The rows.',
    schema: ProgramScheduleReport,
    mediaTypes: reportMediaTypes,
  },
  example: {
    answer: {
      ...range,
      rows: [
        {
          ...programExample,
          program_description: 'A port that never sleeps.',
          ...episodeExample,
          video_id: ids.video,
        },
      ],
    },
  },
})

export const reportComponentSchedules = endpoint({
  ...common,
  id: 'reportComponentSchedules',
  path: '/reports/component/schedules',
  summary: 'Components that aired or are planned',
  query: shape({
    ...reportDays,
    ...optional({
      component_reference_id: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Only components of this video or live source.',
      }),
    }),
  }),
  answer: {
    status: 200,
    description: 'The rows.',
    schema: ComponentScheduleReport,
    mediaTypes: reportMediaTypes,
  },
  example: {
    answer: {
      ...range,
      rows: [
        {
          ...programExample,
          component_type: 'VIDEO',
          component_start_time: '2026-03-01T20:00:00.000Z',
          component_duration: 1_440,
          component_reference_id: ids.video,
          component_title: 'Harbour Nights: The Tide Table',
          ...episodeExample,
        },
      ],
    },
  },
})

export const reportChannelStarts = endpoint({
  ...common,
  id: 'reportChannelStarts',
  path: '/reports/analytics/channels',
  summary: 'Starts by channel',
  query: days,
  answer: {
    status: 200,
    description: 'The rows.',
    schema: ChannelStartsReport,
    mediaTypes: reportMediaTypes,
  },
  example: {
    answer: {
      ...range,
      rows: [
        {
          timestamp: '2026-03-01T00:00:00.000Z',
          linear_channel_name: 'North One',
          distributor: 'direct',
          channel_starts: 1_204,
        },
      ],
    },
  },
})
