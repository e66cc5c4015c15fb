import { LOGIN, openSession } from '../ingest/ingest-system.ts'
import type { OnAirSystem } from '../on-air/on-air-system.ts'

/** A row of `GET /reports/analytics/components`. */
export interface ComponentMinutes {
  readonly timestamp: string
  readonly linear_channel_id: string
  readonly linear_channel_name: string
  readonly distributor: string
  readonly component_type: string
  readonly minutes_watched: number
}

/** A row of `GET /reports/analytics`. */
export interface VideoMinutes {
  readonly timestamp: string
  readonly linear_channel_id: string
  readonly distributor: string
  readonly video_id: string
  readonly external_video_id: string
  readonly minutes_watched: number
  readonly country?: string
}

export interface Report<Row> {
  readonly rows: readonly Row[]
  readonly minutes_by_method?: Readonly<Record<string, number>>
}

let readers = 0

/** Reads the reports of some days over HTTP, as a new user who may read nothing else. */
export async function openReports({ apiUrl }: OnAirSystem, fromMs: number, toMs: number) {
  const [email, password] = [`reports-${readers++}@station.example`, 'ebb and flow by night']
  // By the driven clock, the first session may have expired.
  const { call } = await openSession(apiUrl, LOGIN)
  await call('POST', '/api/2.1/users', { email, password, name: 'Reports', roles: ['SCHEDULE'] })
  const session = await openSession(apiUrl, { ...LOGIN, email, password })
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return {
    read: <Row>(report: string, query = '') =>
      session.call<Report<Row>>(
        'GET',
        `/api/2.3/reports/${report}?from=${dayOf(fromMs)}&to=${dayOf(toMs)}${query}`,
      ),
  }
}
