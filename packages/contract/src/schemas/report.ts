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
const at = timestamp('Start of the hour, minute or day.')

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
  country: Type.Optional(Type.String({ description: 'With include_countries.' })),
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

export const ComponentMinutesReport = reportOf('ComponentMinutesReport', {
  timestamp: at,
  linear_channel_id: Type.String(),
  linear_channel_name: Type.String(),
  distributor: Type.String(),
  component_type: oneOf(componentTypes),
  minutes_watched: minutes,
})

function reportOf<P extends TProperties>(name: string, columns: P) {
  return named(
    name,
    shape({
      from: reportDays.from,
      to: reportDays.to,
      rows: Type.Array(named(`${name}Row`, shape(columns))),
    }),
  )
}
