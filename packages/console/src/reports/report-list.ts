import type { ReportId } from '@continuity/client'

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

export type ColumnKind =
  | 'text'
  | 'moment'
  | 'day'
  | 'time'
  | 'length'
  | 'amount'
  | 'count'
  | 'type'
  | 'country'

export interface Column {
  readonly field: string
  readonly title: string
  readonly kind: ColumnKind
}

/** What the charts add up. */
export interface Measure {
  readonly field: string
  readonly title: string
  readonly unit: string
}

export interface Report {
  readonly id: ReportId
  /** In the address. */
  readonly name: string
  readonly title: string
  readonly text: string
  readonly columns: readonly Column[]
  readonly measure?: Measure
  /** Fields that the charts add up by, besides time. */
  readonly charts?: readonly string[]
  /** The length of what a row is about; bars of the chart by time are not shorter. */
  readonly rowLength?: 'hour' | 'day'
  /** Whether it has rows by country, and whether they are shown at first. */
  readonly countries?: 'at first' | 'on demand'
  readonly hasMinutes?: true
}

const hour: Column = { field: 'timestamp', title: 'Hour, UTC', kind: 'moment' }
const day: Column = { field: 'timestamp', title: 'Day, UTC', kind: 'day' }
const channel: Column = { field: 'linear_channel_name', title: 'Channel', kind: 'text' }
const distributor: Column = { field: 'distributor', title: 'Distributor', kind: 'text' }
const country: Column = { field: 'country', title: 'Country', kind: 'country' }
const type: Column = { field: 'component_type', title: 'Type', kind: 'type' }
const minutes: Column = { field: 'minutes_watched', title: 'Minutes watched', kind: 'amount' }
const programTitle: Column = { field: 'program_title', title: 'Program', kind: 'text' }
const series: Column = { field: 'series_name', title: 'Series', kind: 'text' }
const season: Column = { field: 'season_number', title: 'Season', kind: 'count' }
const episode: Column = { field: 'episode_number', title: 'Episode', kind: 'count' }

const minutesWatched: Measure = { field: 'minutes_watched', title: 'Minutes watched', unit: 'minutes' }
const byOutput = ['linear_channel_name', 'distributor'] as const

export const reports: readonly Report[] = [
  {
    id: 'reportAnalytics',
    name: 'videos',
    title: 'Videos',
    text: 'Minutes watched of each video. Ad breaks, interstitials, slates and live sources are not in it.',
    columns: [
      hour,
      channel,
      distributor,
      { field: 'video_title', title: 'Video', kind: 'text' },
      series,
      { field: 'brand_name', title: 'Brand', kind: 'text' },
      country,
      minutes,
    ],
    measure: minutesWatched,
    charts: [...byOutput, 'country'],
    rowLength: 'hour',
    countries: 'at first',
    hasMinutes: true,
  },
  {
    id: 'reportComponentMinutes',
    name: 'everything-watched',
    title: 'Everything watched',
    text: 'Minutes watched of everything that was on air, by type. Nothing is left out.',
    columns: [hour, channel, distributor, type, minutes],
    measure: minutesWatched,
    charts: [...byOutput, 'component_type'],
    rowLength: 'hour',
  },
  {
    id: 'reportAudience',
    name: 'audience',
    title: 'Audience',
    text: 'Hours of viewing, viewers at once and starts, by day.',
    columns: [
      day,
      channel,
      distributor,
      country,
      { field: 'hours_watched', title: 'Hours watched', kind: 'amount' },
      { field: 'average_concurrent', title: 'Viewers at once, average', kind: 'amount' },
      { field: 'peak_concurrent', title: 'In the busiest minute', kind: 'amount' },
      { field: 'starts', title: 'Starts', kind: 'count' },
      { field: 'average_session_minutes', title: 'Minutes in a session', kind: 'amount' },
      { field: 'ad_break_seconds', title: 'Ad breaks watched', kind: 'length' },
    ],
    measure: { field: 'hours_watched', title: 'Hours watched', unit: 'hours' },
    charts: [...byOutput, 'country'],
    rowLength: 'day',
    countries: 'on demand',
  },
  {
    id: 'reportChannelStarts',
    name: 'starts',
    title: 'Starts',
    text: 'How often viewers began to watch a channel, by day.',
    columns: [day, channel, distributor, { field: 'channel_starts', title: 'Starts', kind: 'count' }],
    measure: { field: 'channel_starts', title: 'Starts', unit: 'starts' },
    charts: byOutput,
    rowLength: 'day',
  },
  {
    id: 'reportInterstitials',
    name: 'interstitials',
    title: 'Interstitials',
    text: 'Minutes watched of each interstitial, by day and by the program that it was in.',
    columns: [
      day,
      { field: 'component_title', title: 'Interstitial', kind: 'text' },
      programTitle,
      distributor,
      minutes,
    ],
    measure: minutesWatched,
    charts: ['component_title', 'distributor'],
    rowLength: 'day',
  },
  {
    id: 'reportProgramSchedules',
    name: 'programs',
    title: 'Programs',
    text: 'Programs that aired up to now, and those that are planned.',
    columns: [
      channel,
      { field: 'program_start_time', title: 'Start, UTC', kind: 'time' },
      { field: 'program_end_time', title: 'End, UTC', kind: 'time' },
      { field: 'program_duration', title: 'Length', kind: 'length' },
      programTitle,
      series,
      season,
      episode,
    ],
  },
  {
    id: 'reportComponentSchedules',
    name: 'components',
    title: 'Components',
    text: 'Videos, ad breaks, live sources and slates that aired up to now, and those that are planned.',
    columns: [
      channel,
      { field: 'component_start_time', title: 'Start, UTC', kind: 'time' },
      { field: 'component_duration', title: 'Length', kind: 'length' },
      type,
      { field: 'component_title', title: 'Title', kind: 'text' },
      programTitle,
      series,
      season,
      episode,
    ],
  },
]

export const fieldWords: Readonly<Record<string, string>> = {
  linear_channel_name: 'channel',
  distributor: 'distributor',
  country: 'country',
  component_type: 'type',
  component_title: 'interstitial',
}
