import type { Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'
import { measureReports, type ReportSizes } from './measure.ts'

/** 9,984,000 rows. */
const FULL: ReportSizes = {
  channels: 2_080,
  distributors: 20,
  videosOfAnHour: 10,
  videos: 20_000,
  otherDays: 29,
}

const targets: Targets = {
  csv_ratio: { atLeast: 0.7 },
  json_ratio: { atLeast: 0.6 },
  ndjson_ratio: { atLeast: 0.6 },
  first_byte_ms: { atMost: 1_000 },
  memory_grown_mb: { atMost: 100 },
  day_beside_others_ratio: { atMost: 1.3 },
}

/** Of a report with about so many rows: fewer channels, and the same of everything else. */
const sizesOf = (rows: number): ReportSizes => ({
  ...FULL,
  channels: Math.ceil(rows / (24 * FULL.distributors * FULL.videosOfAnHour)),
})

export const reports: Bench = {
  name: 'reports',
  title: 'A report of millions of rows',
  question:
    '`csv_ratio`, `json_ratio` and `ndjson_ratio`: rows per second of the report of minutes by video over HTTP, against psql that copies ' +
    'the same statement to standard output as CSV, with the same planner settings. `first_byte_ms`: the slowest first byte. ' +
    '`memory_grown_mb`: what the API process grows by while it sends them. `day_beside_others_ratio`: the report of that day with 29 other days in the tables, ' +
    'against the same alone. Rounds are interleaved, figures are medians.',
  run: async (context) => {
    const sizes = context.rows === undefined ? FULL : sizesOf(context.rows)
    return { figures: await measureReports(sizes, context), targets }
  },
}
