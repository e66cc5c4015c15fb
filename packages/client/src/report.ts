import type { Endpoint } from '@continuity/contract'
import { type Wire, withRenewal } from './call.ts'
import { readBody } from './read-answer.ts'
import type { AnyInput } from './request.ts'

/** The operations that return rows. */
export type ReportId =
  | 'reportAnalytics'
  | 'reportInterstitials'
  | 'reportProgramSchedules'
  | 'reportComponentSchedules'
  | 'reportChannelStarts'
  | 'reportComponentMinutes'
  | 'reportAudience'

export interface ReportOptions {
  /** Default: CSV. */
  readonly format?: 'csv' | 'json' | 'ndjson' | undefined
  readonly signal?: AbortSignal | undefined
  /** Timeout for the first bytes; the report itself may take longer. */
  readonly timeoutMs?: number | undefined
}

const mediaTypes = { csv: 'text/csv', json: 'application/json', ndjson: 'application/x-ndjson' }

/** Opens a report. If the connection breaks later, reading fails and the report has to be opened again. */
export function readReport(
  wire: Wire,
  endpoint: Endpoint,
  query: AnyInput['query'],
  { format = 'csv', signal, timeoutMs = wire.settings.timeoutMs }: ReportOptions,
): Promise<ReadableStream<Uint8Array>> {
  const own = { Accept: mediaTypes[format] }
  return withRenewal(wire, { endpoint, read: readBody, input: { query }, own, timeoutMs, signal })
}
