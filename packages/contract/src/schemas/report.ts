import { type TProperties, Type } from 'typebox'
import { day, timestamp } from './scalars.ts'
import { named, nullable, oneOf, shape } from './shape.ts'

export const componentTypes = ['VIDEO', 'AD_POD', 'INTERSTITIAL', 'TIME_FILL', 'LIVE', 'SLATE'] as const

export const reportDays = {
  from: day('First day, yyyy-mm-dd, UTC.'),
  to: day('Last day, included.'),
}

const words = nullable(Type.String())
const number = nullable(Type.Integer())
const length = Type.Number({ description: 'Seconds, three decimals.' })
const minutes = Type.Number({ minimum: 0, description: 'Three decimals.' })
const country = Type.Optional(
  Type.String({ description: 'Two letters, with include_countries; ZZ where it is not known.' }),
)
const at = timestamp('Start of the hour, minute or day.')

const MinutesByMethod = named(
  'MinutesByMethod',
  shape(
    { cmcd_v2: minutes, cmcd_v1: minutes, heartbeat: minutes },
    {
      description:
        'The minutes of the report by how it is known that the player played: as it reported itself by CMCD version 2 or ' +
        '1, or by its requests for playlists alone, which some players continue to send while paused.',
    },
  ),
)
const ofMinutes = { minutes_by_method: MinutesByMethod }

/** Columns keep this order in every format. */
export const AnalyticsReport = reportOf('AnalyticsReport', {
  timestamp: at,
  linear_channel_id: Type.String(),
  linear_channel_name: Type.String(),
  distributor: Type.String(),
  brand_name: words,
  series_name: words,
  video_id: words,
  video_title: words,
  video_description: words,
  external_video_id: words,
  minutes_watched: minutes,
  country,
})

export const InterstitialsReport = reportOf('InterstitialsReport', {
  timestamp: at,
  component_reference_id: words,
  component_title: words,
  program_id: words,
  program_title: words,
  distributor: Type.String(),
  minutes_watched: minutes,
})

/** Time that no program covers has empty program columns. */
const programColumns = {
  linear_channel_id: Type.String(),
  linear_channel_name: Type.String(),
  program_start_time: nullable(timestamp('Start of the program.')),
  program_end_time: nullable(timestamp('End of the program.')),
  program_duration: nullable(length),
  program_id: words,
  program_title: words,
}
const episodeColumns = { series_name: words, season_number: number, episode_number: number }

export const ProgramScheduleReport = reportOf('ProgramScheduleReport', {
  ...programColumns,
  program_description: words,
  ...episodeColumns,
  video_id: words,
})

export const ComponentScheduleReport = reportOf('ComponentScheduleReport', {
  ...programColumns,
  component_type: oneOf(componentTypes),
  component_start_time: timestamp('Start of the component.'),
  component_duration: length,
  component_reference_id: words,
  component_title: words,
  ...episodeColumns,
})

export const ChannelStartsReport = reportOf('ChannelStartsReport', {
  timestamp: at,
  linear_channel_name: Type.String(),
  distributor: Type.String(),
  channel_starts: Type.Integer({ minimum: 0 }),
})

export const ComponentMinutesReport = reportOf(
  'ComponentMinutesReport',
  {
    timestamp: at,
    linear_channel_id: Type.String(),
    linear_channel_name: Type.String(),
    distributor: Type.String(),
    component_type: oneOf(componentTypes),
    minutes_watched: minutes,
  },
  ofMinutes,
)

export const AudienceReport = reportOf(
  'AudienceReport',
  {
    timestamp: at,
    linear_channel_id: Type.String(),
    linear_channel_name: Type.String(),
    distributor: Type.String(),
    hours_watched: Type.Number({ minimum: 0, description: 'Hours of viewing, three decimals.' }),
    average_concurrent: Type.Number({
      minimum: 0,
      description: 'Viewers at once, over the whole day or what has passed of it.',
    }),
    peak_concurrent: nullable(
      Type.Number({
        minimum: 0,
        description:
          'Viewers in the busiest minute. Null by country, and for days whose minutes are no longer kept.',
      }),
    ),
    starts: Type.Integer({ minimum: 0 }),
    average_session_minutes: nullable(
      Type.Number({ minimum: 0, description: 'Null where no session began.' }),
    ),
    ad_break_seconds: Type.Number({ minimum: 0, description: 'Seconds of ad breaks that were watched.' }),
    country,
  },
  ofMinutes,
)

const viewers = Type.Number({ minimum: 0, description: 'On average over the minute, three decimals.' })

export const AudienceNow = named(
  'AudienceNow',
  shape({
    minute: timestamp('Start of the minute.'),
    viewers,
    channels: Type.Array(
      shape({
        linear_channel_id: Type.String(),
        viewers,
        distributors: Type.Array(shape({ distributor: Type.String(), viewers })),
      }),
    ),
    ...ofMinutes,
  }),
)

function reportOf<P extends TProperties, M extends TProperties = Record<never, never>>(
  name: string,
  columns: P,
  more: M = {} as M,
) {
  return named(
    name,
    shape({
      from: reportDays.from,
      to: reportDays.to,
      rows: Type.Array(named(`${name}Row`, shape(columns))),
      ...more,
    }),
  )
}
